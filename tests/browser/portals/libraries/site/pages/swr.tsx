import useSWR, { SWRConfig, useSWRConfig } from "swr";
import useSWRMutation from "swr/mutation";

/** Stands for a server. */
let visitors = 7;

function Visitors() {
  const { mutate } = useSWRConfig();
  const { data } = useSWR("/visitors", () => Promise.resolve(visitors));
  const { trigger, data: added } = useSWRMutation("/visitors", () => Promise.resolve((visitors += 1)));
  return (
    <>
      <p data-testid="visitors">{data}</p>
      <button onClick={() => void trigger()}>Come in</button>
      <button onClick={() => void mutate("/visitors", 100, { revalidate: false })}>Overwrite</button>
      <output>{added}</output>
    </>
  );
}

export default function Swr() {
  return (
    <SWRConfig value={{ fallback: { "/visitors": 0 }, provider: () => new Map() }}>
      <h1>SWR</h1>
      <Visitors />
    </SWRConfig>
  );
}
