//! Names of keys and sections that are written in another way: in Chinese, or misspelt.

use portalgen_base::diagnostic::did_you_mean;

/// Names of keys and sections as somebody would put them in Chinese.
const CHINESE: [(&str, &str); 26] = [
    ("标题", "title"),
    ("页面标题", "title"),
    ("路径", "path"),
    ("地址", "path"),
    ("网址", "path"),
    ("描述", "description"),
    ("简介", "description"),
    ("摘要", "description"),
    ("跳转", "redirect"),
    ("跳转到", "redirect"),
    ("重定向", "redirect"),
    ("转到", "redirect"),
    ("名称", "name"),
    ("名字", "name"),
    ("路由名", "name"),
    ("组件", "component"),
    ("文件", "component"),
    ("页面文件", "component"),
    ("不收录", "noindex"),
    ("产品", "product"),
    ("产品名", "product"),
    ("语言", "lang"),
    ("路由", "route"),
    ("门户", "portal"),
    ("检查", "check"),
    ("页面不存在", "not_found"),
];

/// The one of some names that a word stands for: as it is, in Chinese, or misspelt.
pub(crate) fn known<'n>(word: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let meant = CHINESE.iter().find(|(chinese, _)| *chinese == word).map_or(word, |(_, english)| *english);
    names.clone().find(|name| *name == meant).or_else(|| did_you_mean(meant, names))
}
