import { Cite, Conversation } from "./Conversation";
import { Sheet } from "./Sheet";
import { Text } from "./Text";
import "./TourFigures.css";

export function AskFigure() {
  return (
    <Conversation
      caption="示例：一句没有整理过的话，也是好的开头。"
      turns={[
        { speaker: "你", text: <p>想换个城市生活，但是爸妈年纪大了，工作也刚稳定，脑子乱，不知道从哪想起。</p> },
        {
          speaker: "蓝屿",
          text: (
            <>
              <p>听起来是三件事缠在一起：想要的生活、对父母的责任、工作的时机。我们可以一件一件来。</p>
              <p>先问一个：如果父母那边完全不用担心，你会搬吗？</p>
            </>
          ),
        },
      ]}
    />
  );
}

export function ReadingFigure() {
  return (
    <Sheet caption="示例：每个编号对应原文中标亮的一句。">
      <p className="sheet-title">社区图书馆夜间开放试点报告 · 第三节</p>
      <p>
        试点的八周里，<mark>晚间到馆人次以备考学生为主，其次是下班后的家长</mark>
        <Cite source={1} />
        <Text>。周五晚间明显少于其他工作日。</Text>
      </p>
      <p>
        志愿者排班是主要难点。<mark>第五周起改为两人一班后，再未出现临时闭馆</mark>
        <Cite source={2} />
        <Text>，但人力成本相应上升，报告没有给出具体数字。</Text>
      </p>
      <p className="sheet-remark">
        <Text>蓝屿：成本上升了多少，原文没有写。要判断值不值得，还缺这一项。</Text>
      </p>
    </Sheet>
  );
}

export function WritingFigure() {
  return (
    <Sheet caption="示例：每处改动都附理由，可以逐条采纳或放弃。">
      <p>
        张老师您好，<del>不好意思又来打扰您了，</del>
        <ins>上周约好的</ins>稿子<del>可能要</del>
        <ins>需要</ins>晚两天，<ins>周四中午前一定发给您。</ins>
        <del>真的非常非常抱歉，请您千万不要介意。</del>
        <ins>给您添麻烦了。</ins>
      </p>
      <ul className="sheet-remark">
        <li>
          <Text>道歉一次就够，把位置留给新的时间。</Text>
        </li>
        <li>
          <Text>“可能要”让对方无法安排，换成确定的说法。</Text>
        </li>
      </ul>
    </Sheet>
  );
}

const claims = [
  { claim: "试点一共八周", basis: "材料第一节写明", level: "有据" },
  { claim: "备考学生占多数", basis: "材料第三节，无百分比", level: "有据，欠精确" },
  { claim: "推广后人次会翻倍", basis: "材料中没有依据", level: "仅为推断" },
] as const;

export function CheckingFigure() {
  return (
    <Sheet caption="示例：核对清单把每个论断和它的依据并排列出。">
      <table>
        <thead>
          <tr>
            <th scope="col">论断</th>
            <th scope="col">依据</th>
            <th scope="col">把握</th>
          </tr>
        </thead>
        <tbody>
          {claims.map(({ claim, basis, level }) => (
            <tr key={claim}>
              <th scope="row">{claim}</th>
              <td>{basis}</td>
              <td>{level}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}

const settings = [
  { name: "长期记忆", value: "关闭", hint: "默认关闭，打开后可逐条查看和删除" },
  { name: "参与改进计划", value: "关闭", hint: "默认不用你的对话训练模型" },
  { name: "导出全部对话", value: "Markdown、JSON", hint: "生成后通知你下载" },
  { name: "删除账号", value: "随时可用", hint: "三十天内清除在用系统中的数据" },
] as const;

export function ControlFigure() {
  return (
    <Sheet caption="示例：与你的数据有关的设置都在同一页。">
      <dl className="settings">
        {settings.map(({ name, value, hint }) => (
          <div className="settings-row" key={name}>
            <dt>{name}</dt>
            <dd className="settings-value">{value}</dd>
            <dd className="settings-hint">{hint}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}
