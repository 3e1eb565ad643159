import { Link } from "react-router-dom";
import { CallToAction } from "../components/CallToAction";
import { PageHeader } from "../components/PageHeader";
import { Text } from "../components/Text";
import { useCurrentSection } from "../components/useCurrentSection";
import { type Leg, legs, limits, strengths } from "../content/tour";
import { paths } from "../paths";
import "./product.css";

export default function ProductTour() {
  return (
    <>
      <PageHeader
        scene="coast"
        kind="产品导览"
        title={
          <>
            <span className="phrase">从起锚到靠岸，</span>
            <span className="phrase">走完一次对话</span>
          </>
        }
      >
        <p>
          <Text>这一页按一次真实使用的顺序，带你看蓝屿在每一步做什么、不做什么。图中的内容都是预先写好的示例。</Text>
        </p>
      </PageHeader>
      <Itinerary />
      <div className="wrap">
        {legs.map((leg) => (
          <TourLeg key={leg.id} {...leg} />
        ))}
      </div>
      <Honesty />
      <CallToAction title="轮到你掌舵了。" from="tour">
        注册之后，你的第一句话可以是“我不知道该问什么”。它会从那里开始。
      </CallToAction>
    </>
  );
}

function Itinerary() {
  const current = useCurrentSection(legs);
  return (
    <nav className="itinerary" aria-label="导览目录">
      <ol className="wrap itinerary-list">
        {legs.map(({ id, name }) => (
          <li key={id}>
            <a className="itinerary-link" href={`#${id}`} aria-current={id === current ? "location" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function TourLeg({ id, name, title, text, points, figure }: Leg) {
  return (
    <section className="leg" id={id} aria-labelledby={`${id}-title`}>
      <div className="leg-text">
        <h2 id={`${id}-title`}>
          <span className="phrase">{name}：</span>
          <span className="phrase">{title}</span>
        </h2>
        <p>
          <Text>{text}</Text>
        </p>
        <ul className="leg-points">
          {points.map((point) => (
            <li key={point}>
              <Text>{point}</Text>
            </li>
          ))}
        </ul>
      </div>
      <div className="leg-figure">{figure}</div>
    </section>
  );
}

function Honesty() {
  return (
    <section className="honesty">
      <div className="wrap section">
        <div className="section-head">
          <p className="eyebrow">航行须知</p>
          <h2>它擅长什么，又做不到什么</h2>
          <p>
            一张只画港口、不画暗礁的海图是危险的。更完整的说明见
            <Link to={`${paths.papers}#uncertainty`}>《把“不知道”说清楚》</Link>。
          </p>
        </div>
        <div className="honesty-row">
          <Notes title="交给它" notes={strengths} />
          <Notes title="别全靠它" notes={limits} />
        </div>
      </div>
    </section>
  );
}

function Notes({ title, notes }: { title: string; notes: readonly string[] }) {
  return (
    <div className="notes">
      <h3>{title}</h3>
      <ul>
        {notes.map((note) => (
          <li key={note}>
            <Text>{note}</Text>
          </li>
        ))}
      </ul>
    </div>
  );
}
