import { product } from "portalgen:portal";

export default function About() {
  return (
    <article className="wrap page">
      <h1>关于我们</h1>
      <p className="lead">在这里告诉访问者，{product}由谁创办，为什么要做它。</p>
      <h2>我们做什么</h2>
      <p>
        两三句话就够了：来到这里的人能做到哪些以前做不到的事，要从哪里开始。
      </p>
      <h2>联系我们</h2>
      <p>
        请写信到 <a href="mailto:hello@example.com">hello@example.com</a>。这是一个示例地址，发布之前记得换成自己的。
      </p>
    </article>
  );
}
