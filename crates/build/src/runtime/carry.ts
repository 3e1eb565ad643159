/** The name of a `name=value` pair, decoded, so that `a%62` and `ab` count as one. */
function nameOf(pair: string): string {
  const name = pair.split("=", 1)[0] ?? "";
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/**
 * Takes the query and the hash that a redirecting page was opened with along to its target.
 *
 * Incoming parameters are appended to the target's own, except those whose name the target sets itself: a link must
 * not override what the portal's author fixed. The incoming hash is used unless the target has one. Nothing is
 * decoded and encoded again on the way, since a signature over the query would not survive that.
 *
 * @param target where to go: a URL or a path, possibly with a query and a hash
 * @param search the incoming query with its `?`, or nothing
 * @param hash the incoming hash with its `#`, or nothing
 */
export function carry(target: string, search: string, hash: string): string {
  const hashAt = target.indexOf("#");
  const address = hashAt < 0 ? target : target.slice(0, hashAt);
  const ownHash = hashAt < 0 ? hash : target.slice(hashAt);

  const queryAt = address.indexOf("?");
  const ownQuery = queryAt < 0 ? "" : address.slice(queryAt + 1);
  const ownNames = new Set(ownQuery.split("&").filter(Boolean).map(nameOf));
  const incoming = search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair === "" || !ownNames.has(nameOf(pair)))
    .join("&");

  if (incoming === "") return address + ownHash;
  const joint = queryAt < 0 ? "?" : ownQuery === "" || ownQuery.endsWith("&") ? "" : "&";
  return address + joint + incoming + ownHash;
}
