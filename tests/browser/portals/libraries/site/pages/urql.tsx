import { useState } from "react";
import { cacheExchange, Client, fetchExchange, gql, Provider, useQuery } from "urql";

/** Stands for a server. */
const server = () => Promise.resolve(Response.json({ data: { port: { __typename: "Port", name: "Brest" } } }));

const query = gql<{ port: { name: string } }>`
  query Port {
    port {
      name
    }
  }
`;

function Port() {
  const [{ data }, load] = useQuery({ query, pause: true });
  return (
    <>
      <button onClick={() => load()}>Load</button>
      <output>{data?.port.name ?? "none"}</output>
    </>
  );
}

export default function Urql() {
  const [client] = useState(
    () =>
      new Client({ url: "/graphql", fetch: server, exchanges: [cacheExchange, fetchExchange], preferGetMethod: false }),
  );
  return (
    <Provider value={client}>
      <h1>urql</h1>
      <Port />
    </Provider>
  );
}
