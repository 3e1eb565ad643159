import { Link } from "react-router-dom";

export default function NotFound() {
  return (
    <div className="wrap page">
      <h1>页面不存在</h1>
      <p className="lead">它可能已经移走，也可能是网址输错了。</p>
      <p>
        <Link className="button" to="/">
          回到首页
        </Link>
      </p>
    </div>
  );
}
