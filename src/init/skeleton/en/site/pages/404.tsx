import { Link } from "react-router-dom";

export default function NotFound() {
  return (
    <div className="wrap page">
      <h1>There is no page here</h1>
      <p className="lead">It may have moved, or the address is not spelt quite right.</p>
      <p>
        <Link className="button" to="/">
          To the home page
        </Link>
      </p>
    </div>
  );
}
