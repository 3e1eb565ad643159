// What Vercel does: the routes that its own package makes of `vercel.json` are followed as its documentation says, and files
// are looked up by its own server for static files.
import { readFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { getTransformedRoutes } from "@vercel/routing-utils";
import handler from "serve-handler";

const { settings: file, folder, requests } = JSON.parse(readFileSync(0, "utf8"));
const { $schema: _, ...settings } = JSON.parse(readFileSync(file, "utf8"));
const { routes, error } = getTransformedRoutes(settings);

const options = {
  public: folder,
  directoryListing: false,
  // It would put names of files into this one as they are, which cannot be done with those beyond Latin.
  headers: [{ source: "**", headers: [{ key: "Content-Disposition", value: null }] }],
};
const server = createServer((request, response) => {
  // It shows folders by their `index.html` only where it does without the names of files, which Vercel does not depend on.
  const cleanUrls = settings.cleanUrls || !request.url.endsWith(".html");
  handler(request, response, { ...options, cleanUrls });
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

function follow(path) {
  const headers = {};
  for (const route of routes) {
    // Routes are compared without regard to the case of letters unless they ask for it.
    const found = new RegExp(route.src, "i").exec(path);
    if (!found) continue;
    if (route.headers?.Location) {
      const location = route.headers.Location.replace(/\$(\d)/g, (_, at) => found[Number(at)] ?? "");
      return { status: route.status, location };
    }
    Object.assign(headers, route.headers);
    if (!route.continue) break;
  }
  return { headers };
}

function look(path, method) {
  return new Promise((done, fail) => {
    const { port } = server.address();
    const asked = send({ host: "127.0.0.1", port, path, method, agent: false }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const body = Buffer.concat(parts).toString();
        done({ status: response.statusCode, location: response.headers.location, body });
      });
    });
    asked.on("error", fail).end();
  });
}

const answers = [];
for (const { path } of error ? [] : requests) {
  const followed = follow(path);
  answers.push(followed.status ? followed : { ...(await look(path, "GET")), headers: followed.headers });
}
server.close();
process.stdout.write(JSON.stringify({ error: error ?? null, answers }));
