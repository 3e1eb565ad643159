// The connection to the server, which is made again whenever it is lost.
import type { ClientHello, ClientMessage, ServerMessage } from "./protocol";

/** Pauses between attempts, in milliseconds; the last one repeats. */
const pauses = [100, 250, 500, 1000, 2000, 4000];

/** How long the server may be away before that is said: a restart should not flicker. */
const patience = 700;

export interface Listener {
  receive: (message: ServerMessage) => void;
  /** Called with what is no message. */
  misread: (text: unknown) => void;
  /** Called when a connection could not be made. Browsers do not tell whether it was refused or nobody is there. */
  fail: () => void;
  /** Called when the server has been away for a while, and when it is back. */
  showAway: (isAway: boolean) => void;
}

export class Connection {
  private socket: WebSocket | undefined;
  private isGreeted = false;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private notice: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {
    // A page in the back/forward cache may hold no connection, and would not get there.
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", ({ persisted }) => persisted && this.open());
    // Timers of hidden pages are slow, and whoever looks again should not have to wait.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
    addEventListener("online", () => this.hurry());
    this.open();
  }

  /** Answers the server's hello. Only then is it known to be the right server. */
  greet(hello: ClientHello) {
    this.isGreeted = true;
    this.send(hello);
  }

  /** Sends a message. False if there is no connection on which hellos were exchanged. */
  send(message: ClientMessage): boolean {
    if (!this.isGreeted || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private open() {
    clearTimeout(this.retry);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.isGreeted = false;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.showHere();
    };
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = () => {
      if (socket !== this.socket) return;
      if (!wasOpen) this.listener.fail();
      this.wait();
    };
  }

  /** Takes note that the server answers. */
  private showHere() {
    this.attempts = 0;
    clearTimeout(this.notice);
    this.notice = undefined;
    this.listener.showAway(false);
  }

  private receive(text: unknown) {
    const message = parse(text);
    if (message) this.listener.receive(message);
    else this.listener.misread(text);
  }

  private wait() {
    this.socket = undefined;
    this.notice ??= setTimeout(() => this.listener.showAway(true), patience);
    const pause = pauses[Math.min(this.attempts++, pauses.length - 1)];
    this.retry = setTimeout(() => this.open(), pause);
  }

  private hurry() {
    if (!this.socket) this.open();
  }

  private close() {
    clearTimeout(this.retry);
    clearTimeout(this.notice);
    this.notice = undefined;
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
  }
}

function parse(text: unknown): ServerMessage | undefined {
  try {
    const message: unknown = JSON.parse(String(text));
    return typeof message === "object" && message !== null && "type" in message ? (message as ServerMessage) : undefined;
  } catch {
    return undefined;
  }
}
