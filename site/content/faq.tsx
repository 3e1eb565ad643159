import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { loginFrom, paths, signUpFrom } from "../paths";

export interface Question {
  question: string;
  answer: ReactNode;
}

export interface QuestionGroup {
  id: string;
  title: string;
  questions: readonly Question[];
}

export const groups: readonly QuestionGroup[] = [
  {
    id: "start",
    title: "认识蓝屿",
    questions: [
      {
        question: "蓝屿是什么？",
        answer: (
          <p>
            蓝屿是一款中文 AI 对话助手。你用平常说话的方式提问或交代任务，它帮你理清思路、阅读材料、起草与修改文稿，并说明答案的依据。
            <Link to={paths.product}>产品导览</Link>里有一次完整的示例。
          </p>
        ),
      },
      {
        question: "它和搜索引擎有什么不同？",
        answer: (
          <p>
            搜索引擎替你找到网页，读与判断由你来做；蓝屿读你给它的材料，直接回答，并指回原文。想了解刚刚发生的事，或者比较多家网站的说法，搜索更合适；想读懂手上的东西、把话写清楚，蓝屿更合适。
          </p>
        ),
      },
      {
        question: "需要学习怎么写提示词吗？",
        answer: <p>不需要。把此刻想到的原样写下来就行。如果缺了关键的前提，它会问你一个问题，而不是让你从模板里挑。</p>,
      },
      {
        question: "哪些事情不该交给它？",
        answer: (
          <p>
            诊断病情、判断法律责任、决定投资，以及任何出错会伤害人的事，都不该只听它的。遇到紧急危险，请直接拨打当地的急救或报警电话。
          </p>
        ),
      },
    ],
  },
  {
    id: "account",
    title: "账号与登录",
    questions: [
      {
        question: "怎样注册？",
        answer: (
          <p>
            点击<Link to={signUpFrom("faq")}>注册</Link>
            ，前往聊天站点，用手机号或邮箱完成验证即可。本门户只介绍产品，不会要求你填写任何信息。
          </p>
        ),
      },
      {
        question: "为什么点击登录之后网址变了？",
        answer: (
          <p>
            登录、注册和对话都在单独的聊天站点上进行，门户与它分开，密码只出现在那一处。<Link to={loginFrom("faq")}>登录</Link>
            之前，请看一眼地址栏，确认域名正确。
          </p>
        ),
      },
      {
        question: "忘记密码怎么办？",
        answer: (
          <p>
            在聊天站点的登录页选择“忘记密码”，按提示验证手机号或邮箱。每一步的说明和收不到邮件时的办法，都写在
            <Link to={paths.reset}>重置密码</Link>一页。
          </p>
        ),
      },
      {
        question: "怎样注销账号？",
        answer: (
          <p>
            登录后在设置页选择“删除账号”。注销前请先导出需要保留的对话；确认之后，数据会在三十天内从在用系统清除，无法恢复。
          </p>
        ),
      },
    ],
  },
  {
    id: "use",
    title: "使用与对话",
    questions: [
      {
        question: "可以上传哪些材料？",
        answer: (
          <p>
            常见的文档、表格、纯文本，以及文字清晰的照片。大小与页数的上限以聊天页面的提示为准。扫描件如果字迹模糊，它会告诉你哪几页没有读清。
          </p>
        ),
      },
      {
        question: "它会记住以前聊过的内容吗？",
        answer: (
          <p>
            同一个对话里会一直记得。跨对话的长期记忆默认关闭；打开之后，记住的每一条都能在设置页看到，也能逐条删除。
          </p>
        ),
      },
      {
        question: "手机上能用吗？",
        answer: <p>可以。用手机浏览器打开聊天站点，登录同一个账号即可，对话会同步。不需要安装应用。</p>,
      },
      {
        question: "怎样导出对话？",
        answer: (
          <p>
            在设置页选择“导出全部对话”，可选 Markdown 或 JSON。前者适合阅读和归档，后者适合交给程序处理。生成完毕后会通知你下载。
          </p>
        ),
      },
    ],
  },
  {
    id: "quality",
    title: "回答的质量",
    questions: [
      {
        question: "回答会出错吗？",
        answer: (
          <p>
            会。它可能记错事实、算错数，或者误解你的意思。材料之内的说法附有编号，便于核对；材料之外的，请当作线索而不是结论。
          </p>
        ),
      },
      {
        question: "回答里的编号是什么意思？",
        answer: (
          <p>
            编号指向支持这句话的原文段落，点开就能看到。没有编号的句子是推理、建议或常识。编号的由来见白皮书
            <Link to={`${paths.papers}#sources`}>《每句话从哪里来》</Link>。
          </p>
        ),
      },
      {
        question: "同一个问题，为什么两次回答不一样？",
        answer: (
          <p>
            生成过程带有随机性，措辞和例子会有变化。如果连结论都不一样，多半是问题里缺了某个前提，请直接问它“两次的结论为什么不同”。
          </p>
        ),
      },
      {
        question: "发现错误怎样反馈？",
        answer: (
          <p>
            点击那条回答下方的“有误”，写一句哪里不对就够了。只有你主动提交的那一段会被查看，用来改进之后的版本。
          </p>
        ),
      },
    ],
  },
  {
    id: "privacy",
    title: "隐私与安全",
    questions: [
      {
        question: "你们会用我的对话训练模型吗？",
        answer: (
          <p>
            默认不会。只有你主动打开“参与改进计划”之后产生的对话，才可能在去除标识后使用，随时可以关闭。详见隐私政策的
            <Link to={`${paths.privacy}#training`}>对话与模型训练</Link>。
          </p>
        ),
      },
      {
        question: "删除的对话多久才真正消失？",
        answer: (
          <p>
            从界面上立即消失，三十天内从在用系统清除，备份最迟九十天覆盖。为什么要留这段时间，白皮书
            <Link to={`${paths.papers}#minimal-data`}>《少收一点，再少一点》</Link>里有解释。
          </p>
        ),
      },
      {
        question: "工作人员能看到我的对话吗？",
        answer: (
          <p>
            平时不能。只有处理你主动提交的问题、调查滥用或依法配合时，经过审批的人员才可能接触相关的部分，并且全程留有记录。
          </p>
        ),
      },
      {
        question: "孩子可以使用吗？",
        answer: (
          <p>
            年满十四周岁可以注册；未满十八周岁的，请在监护人同意和陪伴下使用。家长可以先读<Link to={paths.terms}>平台条款</Link>
            中的使用资格与使用规范。
          </p>
        ),
      },
    ],
  },
];
