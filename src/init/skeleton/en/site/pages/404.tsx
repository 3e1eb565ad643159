import { Link } from "react-router-dom";

export default function NotFound() {
  return (
    <div className="wrap page">
      <h1>Page not found</h1>
      <p className="lead">It may have moved, or the address may be misspelt.</p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </div>
  );
}
