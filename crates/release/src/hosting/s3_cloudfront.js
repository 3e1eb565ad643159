// Written by portalgen, anew with each build: a CloudFront Function for viewer requests (runtime cloudfront-js-2.0).
const portal = __PORTAL__;
const words = { 301: "Moved Permanently", 302: "Found", 307: "Temporary Redirect", 308: "Permanent Redirect" };

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return null;
  }
}

function nameOf(pair) {
  const name = pair.split("=", 1)[0];
  const plain = decoded(name.replace(/\+/g, " "));
  return plain === null ? name : plain;
}

// The target's own values win; everything else of the query is appended as it came.
function carried(to, query) {
  const hashAt = to.indexOf("#");
  const address = hashAt < 0 ? to : to.slice(0, hashAt);
  const hash = hashAt < 0 ? "" : to.slice(hashAt);
  const queryAt = address.indexOf("?");
  const own = queryAt < 0 ? "" : address.slice(queryAt + 1);
  const names = own.split("&").filter(function (pair) { return pair !== ""; }).map(nameOf);
  const added = (query || "")
    .split("&")
    .filter(function (pair) { return pair === "" || names.indexOf(nameOf(pair)) < 0; })
    .join("&");
  if (added === "") return to;
  const joint = queryAt < 0 ? "?" : own === "" || own.endsWith("&") ? "" : "&";
  return address + joint + added + hash;
}

function lead(status, to, query) {
  return {
    statusCode: status,
    statusDescription: words[status],
    headers: { location: { value: carried(to, query) }, "cache-control": { value: "no-cache" } },
  };
}

function handler(event) {
  const request = event.request;
  const raw = request.uri;
  const query = request.rawQueryString();
  const path = decoded(raw);
  // What other programs may read otherwise is nobody's address.
  if (path === null || raw.includes("//") || raw.includes("\\")) return request;
  if (path + "/" === portal.base) return lead(301, raw + "/", query);
  if (!path.startsWith(portal.base)) return request;
  const name = path.slice(portal.base.length);
  const isFolder = name === "" || name.endsWith("/");
  const bare = isFolder ? name.slice(0, -1) : name;
  for (const status in portal.redirects) {
    const to = portal.redirects[status][bare];
    if (typeof to === "string") return lead(Number(status), to, query);
  }
  if (portal.retired.indexOf(bare) >= 0) {
    return {
      statusCode: 410,
      statusDescription: "Gone",
      headers: { "content-type": { value: "text/html; charset=utf-8" }, "cache-control": { value: "no-cache" } },
      body: '<!doctype html><meta charset="utf-8"><title>410</title><h1>410</h1><a href="' + portal.home + '">' + portal.home + "</a>",
    };
  }
  const hasIndex = !portal.flat || name === "" || portal.folders.indexOf(bare) >= 0;
  const hasDot = name.slice(name.lastIndexOf("/") + 1).includes(".");
  // A name with a dot is a file, and one without is a page, unless it is odd.
  const isPage = hasDot === (portal.odd.indexOf(bare) >= 0);
  let uri = raw;
  if (isFolder) {
    if (!hasIndex) return lead(301, raw.slice(0, -1), query);
    uri += "index.html";
  } else if (isPage) {
    if (hasIndex) return lead(301, raw + "/", query);
    uri += ".html";
  }
  // S3 takes a plus sign for a space.
  request.uri = uri.replace(/\+/g, "%2B");
  return request;
}
