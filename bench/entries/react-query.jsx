import { QueryClient, QueryClientProvider, useMutation, useQuery } from "@tanstack/react-query";

const client = new QueryClient();

function Tasks() {
  const { data, isPending, error } = useQuery({
    queryKey: ["tasks"],
    queryFn: () => fetch("/tasks.json").then((answer) => answer.json()),
  });
  const add = useMutation({ mutationFn: (title) => fetch("/tasks", { method: "POST", body: title }) });
  if (isPending) return <p>Loading</p>;
  if (error) return <p>{error.message}</p>;
  return (
    <ul onClick={() => add.mutate("one more")}>
      {data.map((task) => (
        <li key={task.id}>{task.title}</li>
      ))}
    </ul>
  );
}

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Tasks />
    </QueryClientProvider>
  );
}
