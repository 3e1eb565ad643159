import { Link } from "react-router-dom";
import { product } from "portalgen:portal";
import { Arch } from "../components/Arch";
import { Card } from "../components/Card";

export default function Home() {
  return (
    <div className="wrap">
      <div className="hero">
        <div className="hero-text">
          <h1>欢迎来到{product}</h1>
          <p className="lead">
            门户已经建好了。这个页面是 <code>site/pages/index.tsx</code>：运行 <code>portalgen dev</code>，改一句话，保存。
          </p>
          <div className="actions">
            <Link className="button" to="/login">
              登录
            </Link>
            <Link className="button button-quiet" to="/about">
              关于我们
            </Link>
          </div>
        </div>
        <Arch className="hero-art" />
      </div>
      <h2>从哪里改起</h2>
      <ul className="cards">
        <Card title="标题和网址">
          <code>routes.toml</code> 列出了每个页面，以及其他网址跳转到哪里。标题只在那里修改。
        </Card>
        <Card title="页面">
          <code>site/pages</code> 里的每个文件是一个页面，也就是一个 React 组件。新增页面需要一个文件和一个网址。
        </Card>
        <Card title="外观">
          <code>site/styles.css</code> 是唯一的样式表。开头几行是颜色，浅色和深色各一套。
        </Card>
      </ul>
    </div>
  );
}
