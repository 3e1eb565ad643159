import { product } from "portalgen:portal";

export default function About() {
  return (
    <article className="wrap page">
      <h1>About us</h1>
      <p className="lead">Tell visitors who is behind {product}, and why it exists.</p>
      <h2>What we do</h2>
      <p>
        Two or three sentences are enough: what somebody can do here who could not do it before, and what it takes to
        begin.
      </p>
      <h2>How to reach us</h2>
      <p>
        Write to <a href="mailto:hello@example.com">hello@example.com</a>. Change this address before you publish the
        page: it belongs to nobody.
      </p>
    </article>
  );
}
