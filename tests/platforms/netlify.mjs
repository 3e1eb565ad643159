// What Netlify's own packages make of `_redirects` and `_headers`, and which rule they find for each address.
import { readFileSync } from "node:fs";
import { parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";
import redirector from "netlify-redirector";

const { redirects, headers, requests } = JSON.parse(readFileSync(0, "utf8"));
const parsed = await parseAllRedirects({ redirectsFiles: [redirects], configRedirects: [], minimal: true });
const settings = await parseAllHeaders({ headersFiles: [headers], configHeaders: [], minimal: true });
const matcher = await redirector.parsePlain(readFileSync(redirects, "utf8"), { jwtSecret: "", jwtRoleClaim: "" });

const answers = requests.map(({ path, query }) => {
  const found = matcher.match({
    scheme: "https",
    host: "portal.example",
    path,
    query: query ?? "",
    headers: {},
    cookieValues: {},
    getHeader: () => "",
    getCookie: () => "",
  });
  return found && { to: found.to, status: found.status, force: found.force };
});

const errors = [...parsed.errors, ...settings.errors].map(String);
process.stdout.write(JSON.stringify({ errors, rules: parsed.redirects.length, headers: settings.headers, answers }));
