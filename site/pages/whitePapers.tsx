import { WithContents } from "../components/Contents";
import { PageHeader } from "../components/PageHeader";
import { Prose, Text } from "../components/Text";
import { type Paper, papers } from "../content/papers";
import "./whitePapers.css";

export default function WhitePapers() {
  return (
    <>
      <PageHeader scene="soundings" kind="白皮书" title="把做法摊开来讲">
        <p>
          <Text>四篇短文，讲清楚蓝屿背后的几个关键取舍：为什么这样做，代价是什么，还有哪些没有解决。全文都在本页，可以直接打印。</Text>
        </p>
      </PageHeader>
      <WithContents entries={papers}>
        <div className="papers">
          {papers.map((paper, index) => (
            <PaperArticle key={paper.id} number={index + 1} {...paper} />
          ))}
          <p className="papers-note">
            <Text>蓝屿是为演示而虚构的产品，以上各篇为示例文章，所述方法与流程不对应真实的系统。</Text>
          </p>
        </div>
      </WithContents>
    </>
  );
}

function PaperArticle({ number, id, title, subtitle, abstract, sections }: Paper & { number: number }) {
  return (
    <article className="paper" id={id} aria-labelledby={`${id}-title`}>
      <p className="eyebrow">第 {number} 篇</p>
      <h2 id={`${id}-title`}>{title}</h2>
      <p className="paper-subtitle">{subtitle}</p>
      <p className="paper-abstract">
        <strong>摘要　</strong>
        <Text>{abstract}</Text>
      </p>
      {sections.map((section) => (
        <section className="paper-section" key={section.title}>
          <h3>{section.title}</h3>
          <Prose>{section.body}</Prose>
        </section>
      ))}
    </article>
  );
}
