// Runs the function that CloudFront is given for each request, in a context that has nothing but the language.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const { code, requests } = JSON.parse(readFileSync(0, "utf8"));
const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
runInContext(readFileSync(code, "utf8"), context);

const answers = requests.map(({ path, query }) => {
  const request = { method: "GET", uri: path, querystring: {}, headers: {}, cookies: {}, rawQueryString: () => query };
  const outcome = context.handler({ version: "1.0", context: { eventType: "viewer-request" }, viewer: {}, request });
  return outcome === request
    ? { uri: outcome.uri }
    : { status: outcome.statusCode, location: outcome.headers.location?.value, body: outcome.body };
});
process.stdout.write(JSON.stringify({ answers }));
