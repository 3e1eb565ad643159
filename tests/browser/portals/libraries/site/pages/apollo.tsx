import { useState } from "react";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { ApolloProvider, useLazyQuery, useMutation } from "@apollo/client/react";

/** Stands for a server. */
const port = { __typename: "Port", id: "1", name: "Brest" };
const server = (_: unknown, init?: RequestInit) => {
  const { operationName } = JSON.parse(String(init?.body)) as { operationName: string };
  const data = operationName === "Rename" ? { rename: { ...port, name: "Lorient" } } : { port };
  return Promise.resolve(Response.json({ data }));
};

const query = gql`
  query Port {
    port {
      id
      name
    }
  }
`;
const mutation = gql`
  mutation Rename {
    rename {
      id
      name
    }
  }
`;

function Port() {
  const [load, { data }] = useLazyQuery<{ port: { name: string } }>(query);
  const [rename] = useMutation(mutation);
  return (
    <>
      <button onClick={() => void load()}>Load</button>
      <button onClick={() => void rename()}>Rename</button>
      <output>{data?.port.name ?? "none"}</output>
    </>
  );
}

export default function Apollo() {
  const [client] = useState(
    () =>
      new ApolloClient({
        link: new HttpLink({ uri: "/graphql", fetch: server }),
        cache: new InMemoryCache(),
        // Or it advertises its tools in the console of a development build.
        devtools: { enabled: false },
      }),
  );
  return (
    <ApolloProvider client={client}>
      <h1>Apollo Client</h1>
      <Port />
    </ApolloProvider>
  );
}
