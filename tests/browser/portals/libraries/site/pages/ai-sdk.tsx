import { useState } from "react";
import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";

/** Stands for a server that streams its answer. */
const parts = [
  { type: "start" },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "High water " },
  { type: "text-delta", id: "1", delta: "at noon" },
  { type: "text-end", id: "1" },
  { type: "finish" },
];
const stream = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join("") + "data: [DONE]\n\n";
const answer = () => Promise.resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }));

export default function AiSdk() {
  const [transport] = useState(() => new DefaultChatTransport({ fetch: answer }));
  const { messages, sendMessage, status } = useChat({ id: "tides", transport });
  return (
    <>
      <h1>AI SDK</h1>
      <ul>
        {messages.map((message) => (
          <li key={message.id}>{message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")}</li>
        ))}
      </ul>
      <button onClick={() => void sendMessage({ text: "When is high water?" })}>Ask</button>
      <output>{status}</output>
    </>
  );
}
