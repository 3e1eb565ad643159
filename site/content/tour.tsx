import type { ReactNode } from "react";
import { AskFigure, CheckingFigure, ControlFigure, ReadingFigure, WritingFigure } from "../components/TourFigures";

/** One part of the tour. Other pages link to it by `id`. */
export interface Leg {
  id: string;
  name: string;
  title: string;
  text: string;
  points: readonly string[];
  figure: ReactNode;
}

export const legs: readonly Leg[] = [
  {
    id: "ask",
    name: "起锚",
    title: "怎么想就怎么说",
    text: "不需要学写提示词。你可以从半句话、一张会议照片里的文字、甚至一句抱怨开始，蓝屿先把它理成几个可以回答的问题。",
    points: ["缺少关键前提时，一次只问一个问题", "给出两三种走法，并说明各自的代价", "不替你做关乎人生的决定，只帮你看清楚"],
    figure: <AskFigure />,
  },
  {
    id: "reading",
    name: "测深",
    title: "读完材料再开口",
    text: "把报告、合同、论文或课堂笔记交给它。它先画出全文的结构，再回答你的问题，并在原文里标出每句话的来处。",
    points: ["回答里的编号可以跳回原文", "同时读几份材料，指出彼此矛盾的地方", "原文没写的，明说没写"],
    figure: <ReadingFigure />,
  },
  {
    id: "writing",
    name: "行船",
    title: "一起把话写好",
    text: "从难开口的邮件到讲稿、方案和作业的修改意见，蓝屿像编辑一样工作：标出改动，说明理由，把决定权留给你。",
    points: ["先问写给谁、希望对方做什么", "改动逐处可见，随时退回", "记住你的用词习惯，不套模板"],
    figure: <WritingFigure />,
  },
  {
    id: "checking",
    name: "望灯",
    title: "核对过再相信",
    text: "任何回答都可以要一份核对清单：哪些有据，哪些只是推断，哪些最好另找人核实。看上去流畅的句子，不等于可靠的句子。",
    points: ["论断与依据并排列出", "数字前后不一致会被标记", "涉及健康、法律与钱时，提醒你找专业人士"],
    figure: <CheckingFigure />,
  },
  {
    id: "control",
    name: "靠岸",
    title: "带走属于你的东西",
    text: "聊过的内容是你的。查看、导出、删除与记忆开关都在同一页，不用写邮件申请，也不用猜它记住了什么。",
    points: ["默认不用对话训练模型", "长期记忆默认关闭，可逐条删除", "导出为通用格式，不锁住任何人"],
    figure: <ControlFigure />,
  },
];

export const strengths: readonly string[] = [
  "把混乱的想法理成结构",
  "阅读、对照和概括你给的材料",
  "起草与修改中文文稿",
  "解释概念，换三种讲法直到听懂",
  "陪你排练一次困难的谈话",
];

export const limits: readonly string[] = [
  "不掌握实时消息，也不替你上网下单",
  "心算大数、数字数可能出错，重要计算请复核",
  "不能代替医生、律师或理财顾问",
  "材料本身有错时，它未必看得出来",
  "不会假装记得你已经删除的对话",
];
