// What the document says about the server that has sent it.
import type { Settings } from "./protocol";

/** Reads what this document says. */
export function readSettings(): Settings {
  const element = document.getElementById("portalgen-dev");
  if (!element) throw new Error("portalgen: the document has no script element `portalgen-dev`");
  return JSON.parse(element.textContent) as Settings;
}

/**
 * Asks the server for its start: a server that was started again refuses the tokens of old documents, and browsers do not
 * tell that from a server that is not there. The document that one would get now says it.
 */
export async function askForStart(): Promise<string | undefined> {
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    const [, json] = /<script type="application\/json" id="portalgen-dev">([^]*?)<\/script>/.exec(await response.text()) ?? [];
    return json === undefined ? undefined : (JSON.parse(json) as Settings).start;
  } catch {
    return undefined;
  }
}

/**
 * Address of the WebSocket. It lies beside this script, whose address has the scheme, host, port and prefix under which the
 * browser reaches the server, whatever proxies and tunnels stand between.
 */
export function socketAddress({ socket, token }: Settings, script: string): string {
  const url = new URL(socket ?? "socket", script);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("token", token);
  return url.href;
}
