import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

const client = new QueryClient();

/** Stands for a server. */
const stored = ["Write", "Check"];

function Tasks() {
  const queryClient = useQueryClient();
  const { data, isFetched } = useQuery({
    queryKey: ["tasks"],
    queryFn: () => Promise.resolve([...stored]),
    placeholderData: ["Loading"],
  });
  const { mutate, isSuccess } = useMutation({
    mutationFn: (task: string) => Promise.resolve(stored.push(task)),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["tasks"] }),
  });
  return (
    <>
      <p data-testid="tasks">{data?.join(", ")}</p>
      <p data-testid="state">{isFetched ? "fetched" : "waiting"}</p>
      <button onClick={() => mutate("Publish")}>Add</button>
      {isSuccess && <output>Added</output>}
    </>
  );
}

export default function ReactQuery() {
  return (
    <QueryClientProvider client={client}>
      <h1>React Query</h1>
      <Tasks />
    </QueryClientProvider>
  );
}
