import { CallToAction } from "../components/CallToAction";
import { WithContents } from "../components/Contents";
import { Mail } from "../components/Mail";
import { PageHeader } from "../components/PageHeader";
import { Prose, Text } from "../components/Text";
import { groups, type QuestionGroup } from "../content/faq";
import "./FAQ.css";

export default function Faq() {
  return (
    <>
      <PageHeader scene="shoals" kind="常见问题" title={<Text>二十个常被问到的问题</Text>}>
        <p>
          <span className="phrase">点开问题就能看到回答。</span>
          <span className="phrase">
            没找到想问的，可以写信到 <Mail to="hello@lanyu.example" />。
          </span>
        </p>
      </PageHeader>
      <WithContents entries={groups}>
        <div className="faq">
          {groups.map((group) => (
            <Group key={group.id} {...group} />
          ))}
        </div>
      </WithContents>
      <CallToAction title="还有别的问题？" from="faq-end">
        注册之后，直接问它。关于蓝屿自己的事，它也会照实回答。
      </CallToAction>
    </>
  );
}

function Group({ id, title, questions }: QuestionGroup) {
  return (
    <section className="faq-group" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {questions.map(({ question, answer }) => (
        <details className="faq-entry" key={question}>
          <summary className="faq-question">{question}</summary>
          <Prose className="faq-answer">{answer}</Prose>
        </details>
      ))}
    </section>
  );
}
