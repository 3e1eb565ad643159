import { Link } from "react-router-dom";
import chart from "../assets/chart.svg";
import { CallToAction } from "../components/CallToAction";
import { ChartSymbol } from "../components/ChartSymbol";
import { Conversation } from "../components/Conversation";
import { EntryPoints } from "../components/EntryPoints";
import { ProductPicture } from "../components/ProductPicture";
import { Text } from "../components/Text";
import { features, occasions, sampleTurns, steps } from "../content/home";
import { paths } from "../paths";
import "./index.css";

export default function Home() {
  return (
    <>
      <Hero />
      <div className="wrap hero-picture">
        <ProductPicture />
      </div>
      <Features />
      <Example />
      <Voyage />
      <Occasions />
      <CallToAction title="靠岸，从一句话开始。" from="home-end">
        不必先学会提问。把此刻脑子里的那句话原样写下来，剩下的我们一起理。
      </CallToAction>
    </>
  );
}

function Hero() {
  return (
    <section className="hero">
      <div className="wrap hero-row">
        <div className="hero-text">
          <p className="eyebrow">中文 AI 对话助手</p>
          <h1>
            <span className="phrase">信息如海，</span>
            <span className="phrase">蓝屿有岸。</span>
          </h1>
          <p className="hero-lead">
            <Text>读懂你的上下文，说清答案从哪里来，也坦率地告诉你它不知道什么。蓝屿是一座可以停下来、把事情想清楚的岛。</Text>
          </p>
          <EntryPoints from="hero" />
          <p>
            <Link to={paths.product}>先跟着一次对话走一遍</Link>
          </p>
        </div>
        <img className="hero-chart" src={chart} width="720" height="640" alt="" fetchPriority="high" />
      </div>
    </section>
  );
}

function Features() {
  return (
    <section className="section wrap">
      <div className="section-head">
        <p className="eyebrow">图例</p>
        <h2>六个记号，读懂蓝屿</h2>
        <p>
          <Text>海图靠图例说话。下面这六件事，是我们花力气最多、也最希望你拿来检验我们的地方。</Text>
        </p>
      </div>
      <ul className="legend">
        {features.map(({ symbol, title, text }) => (
          <li className="legend-entry" key={title}>
            <ChartSymbol name={symbol} />
            <h3>{title}</h3>
            <p>
              <Text>{text}</Text>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Example() {
  return (
    <section className="example">
      <div className="wrap section example-row">
        <div className="section-head">
          <p className="eyebrow">示例对话</p>
          <h2>
            <Text>像和一位读过材料的同事说话</Text>
          </h2>
          <p>
            <Text>你给它几页纪要和一个模糊的念头，它先问清楚给谁看，再动笔；每个数字都标着出处，没把握的地方自己说出来。</Text>
          </p>
          <p>
            <Link to={`${paths.papers}#sources`}>我们怎样让回答带上出处</Link>
          </p>
        </div>
        <Conversation caption="这段对话是预先写好的示例，用来展示蓝屿的回答方式。" turns={sampleTurns} />
      </div>
    </section>
  );
}

function Voyage() {
  return (
    <section className="section wrap">
      <div className="section-head">
        <p className="eyebrow">航线</p>
        <h2>一次回答，经过四个航点</h2>
      </div>
      <ol className="voyage">
        {steps.map(({ title, text }) => (
          <li className="voyage-step" key={title}>
            <h3>{title}</h3>
            <p>
              <Text>{text}</Text>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Occasions() {
  return (
    <section className="wrap occasions">
      <h2>人们常在这些时候靠岸</h2>
      <ul className="occasions-list">
        {occasions.map(({ anchor, text }) => (
          <li key={text}>
            <Link className="occasion" to={`${paths.product}#${anchor}`}>
              <span>
                <Text>{text}</Text>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
