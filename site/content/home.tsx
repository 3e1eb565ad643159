import type { ChartSymbolName } from "../components/ChartSymbol";
import { Cite, type Turn } from "../components/Conversation";

interface Feature {
  symbol: ChartSymbolName;
  title: string;
  text: string;
}

export const features: readonly Feature[] = [
  {
    symbol: "compass",
    title: "读懂上下文",
    text: "前面说过的前提、称呼和限制，它会一直带着走。换了话题也不必从头解释，回头时接得上。",
  },
  {
    symbol: "sounding",
    title: "长文不迷路",
    text: "放进一份几十页的报告，它先给出结构，再回答问题，并告诉你结论在原文的哪一节。",
  },
  {
    symbol: "lighthouse",
    title: "出处可查",
    text: "来自材料的每句话都带编号，点开就是原文那一段。没有出处的部分会写明是推断。",
  },
  {
    symbol: "buoy",
    title: "不知道就说不知道",
    text: "拿不准时先亮浮标：哪一步缺依据，可能错在哪里，找谁核实更好。",
  },
  {
    symbol: "quill",
    title: "保留你的语气",
    text: "改稿时标出每一处改动和理由，采不采用由你定。写出来的仍然像你，而不像一台机器。",
  },
  {
    symbol: "anchor",
    title: "随时可以起锚",
    text: "对话可以整份导出，也可以彻底删除。默认不用你的对话训练模型，开关在你手里。",
  },
];

export const sampleTurns: readonly Turn[] = [
  {
    speaker: "你",
    text: <p>下午要向管理层汇报客服试点，纪要在附件里。十分钟，帮我理个提纲。</p>,
  },
  {
    speaker: "蓝屿",
    text: (
      <p>读完了三份纪要。动笔前先确认一件事：管理层这次是要听结果，还是要决定扩不扩大？两种讲法差别很大。</p>
    ),
  },
  {
    speaker: "你",
    text: <p>要决定。他们最担心的是质量。</p>,
  },
  {
    speaker: "蓝屿",
    text: (
      <>
        <p>那就把质量放在最前面，建议这样排：</p>
        <ol>
          <li>
            一句话结论：建议分两步扩大，先覆盖售后咨询。
            <Cite source={1} />
          </li>
          <li>
            质量怎么样：抽检的一次解决率从 71% 升到 78%，投诉没有增加。
            <Cite source={2} />
          </li>
          <li>
            还差什么：夜间时段样本太少，结论不稳。
            <Cite source={2} />
          </li>
          <li>需要他们定的两件事：人手和时间表。</li>
        </ol>
        <p>有一处请你核实：第三份纪要里的“78%”没有写明抽检了多少单。如果有人问起，最好手边有这个数。</p>
        <ul className="sources" aria-label="来源">
          <li>1 · 试点例会纪要（三），“后续安排”一节</li>
          <li>2 · 试点例会纪要（三），“抽检结果”一节</li>
        </ul>
      </>
    ),
  },
];

export const steps = [
  { title: "听清问题", text: "先分辨你要的是事实、建议还是一份成稿。缺少关键前提时，问一个问题，而不是猜。" },
  { title: "找到依据", text: "优先用你给的材料。材料之外的说法与材料之内的分开放，不混在一起。" },
  { title: "起草回答", text: "先结论后理由，长短随问题走。能用一句话说清的，不写成三段。" },
  { title: "核对再交付", text: "逐句回看出处与数字，前后矛盾的标出来，把没把握的地方留给你判断。" },
] as const;

/** `anchor` is the part of the product tour that tells more. */
export const occasions = [
  { anchor: "ask", text: "脑子里一团乱，想先理出头绪" },
  { anchor: "reading", text: "开会前十分钟，读完一份长报告" },
  { anchor: "writing", text: "一封不好开口的邮件" },
  { anchor: "checking", text: "看到一个数字，想知道靠不靠得住" },
  { anchor: "reading", text: "重新学一门早已忘光的课" },
  { anchor: "control", text: "换电脑了，把聊过的都带走" },
] as const;
