import { Link } from "react-router-dom";
import { loginFrom, signUpFrom } from "../paths";

/** The two ways into the chat. `from` names the place on the site that was clicked. */
export function EntryPoints({ from }: { from: string }) {
  return (
    <div className="actions">
      <Link className="button" to={signUpFrom(from)}>
        注册账号
      </Link>
      <Link className="button button-quiet" to={loginFrom(from)}>
        已有账号，登录
      </Link>
    </div>
  );
}
