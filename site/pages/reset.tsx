import { Link } from "react-router-dom";
import { Mail } from "../components/Mail";
import { PageHeader } from "../components/PageHeader";
import { Text } from "../components/Text";
import { resetSteps, troubles } from "../content/reset";
import { loginFrom, paths } from "../paths";
import "./reset.css";

export default function Reset() {
  return (
    <>
      <PageHeader scene="lighthouse" kind="账号帮助" title="重置密码">
        <p>
          <Text>密码保存在聊天站点，重置也在那里进行。本页不会要求你输入任何信息，只说明每一步怎么走。</Text>
        </p>
        <Link className="button reset-start" to={loginFrom("reset")}>
          前往登录页重置
        </Link>
      </PageHeader>
      <section className="section wrap">
        <h2>四步完成</h2>
        <ol className="reset-steps">
          {resetSteps.map(({ title, text }) => (
            <li className="reset-step" key={title}>
              <h3>{title}</h3>
              <p>
                <Text>{text}</Text>
              </p>
            </li>
          ))}
        </ol>
      </section>
      <Troubles />
    </>
  );
}

function Troubles() {
  return (
    <section className="reset-troubles">
      <div className="wrap section">
        <h2>遇到麻烦时</h2>
        <dl className="reset-list">
          {troubles.map(({ trouble, remedy }) => (
            <div key={trouble}>
              <dt>{trouble}</dt>
              <dd>
                <Text>{remedy}</Text>
              </dd>
            </div>
          ))}
        </dl>
        <p>
          仍然没有解决？看看<Link to={`${paths.faq}#account`}>账号与登录的常见问题</Link>，或写信到 <Mail to="hello@lanyu.example" />。
        </p>
      </div>
    </section>
  );
}
