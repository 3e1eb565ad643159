import { Link } from "react-router-dom";

export default function NotFound() {
  return (
    <div className="wrap page">
      <h1>这里没有页面</h1>
      <p className="lead">它可能已经移走，也可能网址里多了或少了一个字。</p>
      <p>
        <Link className="button" to="/">
          回到首页
        </Link>
      </p>
    </div>
  );
}
