import Markdown from "react-markdown";

export function Article({ text }: { text: string }) {
  return (
    <article>
      <Markdown>{text}</Markdown>
    </article>
  );
}
