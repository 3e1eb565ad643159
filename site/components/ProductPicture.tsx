import type { ReactNode } from "react";
import { Text } from "./Text";
import "./ProductPicture.css";

const description =
  "蓝屿的对话界面。左边有人问一份租房合同怎样退租、怎样退押金；回答里的编号 1 和 2，对应右边合同原文中标亮的两句。墙面磨损算谁的，合同没有写，回答里单独列了出来。";

const conversations = ["租房合同", "给张老师的邮件", "要不要换个城市", "线性代数，从头学"] as const;

/** The product in use, drawn in the colours of the page. Assistive technology gets one picture with a description. */
export function ProductPicture() {
  return (
    <figure className="picture">
      <div role="img" aria-label={description}>
        <div className="picture-window" aria-hidden="true">
          <Rail />
          <Chat />
          <Source />
        </div>
      </div>
      <figcaption className="picture-caption">一份六页的租房合同，问两句话。有依据的标出原文，没写的也说清楚。</figcaption>
    </figure>
  );
}

function Rail() {
  return (
    <div className="picture-rail">
      <p className="picture-new">新对话</p>
      {conversations.map((name, index) => (
        <p className={index === 0 ? "picture-name picture-name-open" : "picture-name"} key={name}>
          {name}
        </p>
      ))}
    </div>
  );
}

function Chat() {
  return (
    <div className="picture-chat">
      <p className="picture-file">房屋租赁合同.pdf · 6 页</p>
      <p className="picture-question">想提前退租，要多久之前说？押金能退吗？</p>
      <div className="picture-answer">
        <p>
          要提前三十天书面通知房东。
          <Reference>1</Reference>
        </p>
        <p>
          押金能退：交房并结清费用后七个工作日内，不计利息。
          <Reference>2</Reference>
        </p>
        <p className="picture-missing">
          <span className="picture-tag">原文没写</span>
          <Text>墙面正常磨损算谁的。退租前，最好先和房东书面说定。</Text>
        </p>
      </div>
      <p className="picture-input">
        接着问
        <span className="picture-send" />
      </p>
    </div>
  );
}

function Source() {
  return (
    <div className="picture-source">
      <p className="picture-page">原文 · 第 3 页</p>
      <p className="picture-clause">第八条　提前退租</p>
      <p>
        租期未满，乙方需要退租的，
        <mark className="picture-marked">
          应当提前三十日以书面形式通知甲方
          <Reference>1</Reference>
        </mark>
        <Text>，并结清至搬离之日的租金。</Text>
      </p>
      <p className="picture-clause">第九条　押金</p>
      <p>
        甲方
        <mark className="picture-marked">
          应当在乙方交还房屋、结清费用后七个工作日内，将押金无息退还乙方
          <Reference>2</Reference>
        </mark>
        <Text>。房屋及设施有损坏的，可以从中扣除修理费用。</Text>
      </p>
    </div>
  );
}

/** The number of a source. Word joiners keep it on the line of the words and signs around it. */
function Reference({ children }: { children: ReactNode }) {
  return (
    <>
      {"\u2060"}
      <span className="picture-number">{children}</span>
      {"\u2060"}
    </>
  );
}
