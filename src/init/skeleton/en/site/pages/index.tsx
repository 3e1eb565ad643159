import { Link } from "react-router-dom";
import { product } from "portalgen:portal";
import { Arch } from "../components/Arch";
import { Card } from "../components/Card";

export default function Home() {
  return (
    <div className="wrap">
      <div className="hero">
        <div className="hero-text">
          <h1>Welcome to {product}</h1>
          <p className="lead">
            Your portal is running. This page is <code>site/pages/index.tsx</code>: run <code>portalgen dev</code>, change a
            sentence and save.
          </p>
          <div className="actions">
            <Link className="button" to="/login">
              Sign in
            </Link>
            <Link className="button button-quiet" to="/about">
              About us
            </Link>
          </div>
        </div>
        <Arch className="hero-art" />
      </div>
      <h2>Where to make changes</h2>
      <ul className="cards">
        <Card title="Titles and addresses">
          <code>routes.toml</code> lists every page and redirect. Titles are changed only there.
        </Card>
        <Card title="Pages">
          Each file in <code>site/pages</code> is a page: a React component. A new page needs its file, and a route.
        </Card>
        <Card title="Design">
          <code>site/styles.css</code> is the only style sheet. Its first lines are the colours, for light and dark
          mode.
        </Card>
      </ul>
    </div>
  );
}
