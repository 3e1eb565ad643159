import { Link } from "react-router-dom";
import archipelago from "../assets/archipelago.svg";
import { CallToAction } from "../components/CallToAction";
import { Mail } from "../components/Mail";
import { PageHeader } from "../components/PageHeader";
import { Prose, Text } from "../components/Text";
import { contacts, principles } from "../content/about";
import { paths } from "../paths";
import "./about.css";

export default function About() {
  return (
    <>
      <PageHeader scene="compass" kind="关于我们" title="我们造岛，不造海">
        <p>
          <Text>信息从来不缺。缺的是一个可以站住脚、看清四周、再决定往哪里去的地方。蓝屿想成为这样的地方。</Text>
        </p>
      </PageHeader>
      <Name />
      <Principles />
      <Contact />
      <CallToAction title="来岛上坐坐。" from="about">
        不需要准备什么。带上一个还没想清楚的问题就好。
      </CallToAction>
    </>
  );
}

function Name() {
  return (
    <section className="section wrap name">
      <Prose>
        <h2>为什么叫蓝屿</h2>
        <p>
          “屿”是小岛。我们喜欢这个字里的分寸：它不像大陆那样许诺无所不包，只是在水面上露出的一小片实地，四面都看得见边界。
        </p>
        <p>
          做 AI
          产品的人很容易把“什么都能回答”当作目标。可是人们真正需要的，往往不是更多的话，而是几句靠得住的话，和一个老实的“这里我不知道”。有边界的岛，才停得住船。
        </p>
        <p>
          所以这个网站画得像一张海图。海图的规矩是：测过的水深写上数字，没测过的地方留白，暗礁必须标明。我们希望蓝屿的每个回答也守这个规矩。
        </p>
      </Prose>
      <img src={archipelago} width="520" height="520" alt="" loading="lazy" />
    </section>
  );
}

function Principles() {
  return (
    <section className="principles">
      <div className="wrap section">
        <div className="section-head">
          <p className="eyebrow">守则</p>
          <h2>坚持的，和因此放弃的</h2>
          <p>
            <Text>没有代价的原则只是口号。下面每一条，都写上它让我们放弃了什么。</Text>
          </p>
        </div>
        <ol className="principles-list">
          {principles.map(({ title, text, price }) => (
            <li className="principle" key={title}>
              <h3>{title}</h3>
              <p>
                <Text>{text}</Text>
              </p>
              <p className="principle-price">
                <strong>代价：</strong>
                <Text>{price}</Text>
              </p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Contact() {
  return (
    <section className="section wrap">
      <div className="section-head">
        <p className="eyebrow">通信</p>
        <h2>找到我们</h2>
        <p>
          每封信都由人来读。写信之前，也许<Link to={paths.faq}>常见问题</Link>里已经有了答案。
        </p>
      </div>
      <dl className="contacts">
        {contacts.map(({ purpose, address, note }) => (
          <div className="contact" key={address}>
            <dt>{purpose}</dt>
            <dd className="contact-address">
              <Mail to={address} />
            </dd>
            <dd>{note}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
