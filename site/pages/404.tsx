import { Link } from "react-router-dom";
import { Text } from "../components/Text";
import { paths } from "../paths";
import "./404.css";

const waysBack = [
  { to: paths.home, label: "回到首页", hint: "从头看起" },
  { to: paths.product, label: "产品导览", hint: "走完一次对话" },
  { to: paths.faq, label: "常见问题", hint: "二十个问题与回答" },
  { to: paths.reset, label: "重置密码", hint: "登录不了时看这里" },
];

export default function NotFound() {
  return (
    <div className="wrap lost">
      <Adrift />
      <div className="lost-text">
        <p className="eyebrow">404</p>
        <h1>这里没有岸</h1>
        <p>
          <Text>你要找的页面不在海图上：可能已经移走，也可能网址里多了或少了一个字。注意，本站的网址区分大小写。</Text>
        </p>
        <ul className="lost-ways">
          {waysBack.map(({ to, label, hint }) => (
            <li key={to}>
              <Link className="lost-way" to={to}>
                {label}
                <span>{hint}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** A boat on open water, past the last sounding. */
function Adrift() {
  return (
    <svg className="adrift" viewBox="0 0 360 300" aria-hidden="true">
      <circle className="adrift-moon" cx="262" cy="74" r="34" />
      <path className="adrift-sail" d="M176 70c34 24 52 56 54 92h-54zM166 92c-22 20-33 44-35 70h35z" />
      <path className="adrift-hull" d="M116 174h130c-8 24-24 34-42 34h-48c-18 0-34-10-40-34z" />
      <path className="adrift-sea" d="M0 200q20-16 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0v100H0z" />
      <path
        className="adrift-wave"
        d="M0 200q20-16 40 0t40 0 40 0 40 0 40 0 40 0 40 0 40 0 40 0M40 232q20-14 40 0t40 0 40 0 40 0 40 0 40 0 40 0M100 260q20-12 40 0t40 0 40 0 40 0"
      />
      <text className="adrift-sounding" x="48" y="120">
        ?
      </text>
      <text className="adrift-sounding" x="316" y="178">
        ?
      </text>
      <text className="adrift-sounding" x="92" y="60">
        ?
      </text>
    </svg>
  );
}
