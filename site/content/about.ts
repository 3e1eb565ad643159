export const principles = [
  {
    title: "说得出依据，才算回答",
    text: "来自材料的话都要能指回原文；指不回去的，标明是推断。",
    price: "回答有时更短，也更慢。",
  },
  {
    title: "数据是借来的",
    text: "对话属于写下它的人。默认不训练、不画像，删除就是删除。",
    price: "改进产品时，我们手上的样本少得多。",
  },
  {
    title: "不争夺你的时间",
    text: "没有打卡、没有推送、没有猜你想问。事情办完，就该离开。",
    price: "“停留时长”这个数字不会好看。",
  },
  {
    title: "先照顾不方便的人",
    text: "键盘、读屏软件、小屏幕、慢网络，都应当用得顺手。这个网站关掉脚本也能读完。",
    price: "有些花哨的效果，我们做不了。",
  },
] as const;

export const contacts = [
  { purpose: "一般咨询与建议", address: "hello@lanyu.example", note: "五个工作日内回复" },
  { purpose: "个人信息与隐私", address: "privacy@lanyu.example", note: "十五个工作日内答复" },
  { purpose: "安全漏洞报告", address: "security@lanyu.example", note: "一个工作日内确认收到" },
] as const;
