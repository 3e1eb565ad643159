//! What the operating system refuses, in every language: its own words are in one, and in no one's in particular.

use std::{error::Error, fmt, io};

use crate::text::{Text, text};

/// An error for [`io::Error::new`] that says in every language what is wrong.
#[derive(Debug)]
pub struct Told(pub Text);

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.english())
    }
}

impl Error for Told {}

/// What went wrong, as a clause that follows a colon.
pub fn explain(error: &io::Error) -> Text {
    if let Some(Told(text)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return text.clone();
    }
    let english = error.to_string();
    match (chinese(error.kind()), error.raw_os_error()) {
        (Some(chinese), _) => Text::new(english, chinese),
        (None, Some(code)) => text!("{english}", "系统错误（代码 {code}）"),
        (None, None) => text!("{english}", "未知的系统错误"),
    }
}

fn chinese(kind: io::ErrorKind) -> Option<&'static str> {
    use io::ErrorKind as Kind;
    Some(match kind {
        Kind::NotFound => "文件或文件夹不存在",
        Kind::PermissionDenied => "没有权限",
        Kind::AlreadyExists => "已经存在",
        Kind::NotADirectory => "不是文件夹",
        Kind::IsADirectory => "是文件夹，不是文件",
        Kind::DirectoryNotEmpty => "文件夹不是空的",
        Kind::ReadOnlyFilesystem => "文件系统是只读的",
        Kind::StorageFull => "磁盘空间不足",
        Kind::QuotaExceeded => "超出磁盘配额",
        Kind::FileTooLarge => "文件太大",
        Kind::InvalidFilename => "文件名无效",
        Kind::CrossesDevices => "不能移到另一个磁盘",
        Kind::TooManyLinks => "链接太多",
        Kind::ResourceBusy | Kind::ExecutableFileBusy => "正在被其他程序使用",
        Kind::StaleNetworkFileHandle => "网络文件已失效",
        Kind::InvalidInput => "参数无效",
        Kind::InvalidData => "内容无法识别",
        Kind::UnexpectedEof => "内容不完整",
        Kind::WriteZero => "没有全部写入",
        Kind::Unsupported => "系统不支持这个操作",
        Kind::OutOfMemory => "内存不足",
        Kind::Interrupted => "操作被中断",
        Kind::WouldBlock => "资源暂时不可用",
        Kind::TimedOut => "超时",
        Kind::ConnectionRefused => "连接被拒绝",
        Kind::ConnectionReset => "连接被重置",
        Kind::ConnectionAborted | Kind::NotConnected => "连接已断开",
        Kind::BrokenPipe => "接收方已关闭",
        Kind::HostUnreachable => "无法到达主机",
        Kind::NetworkUnreachable => "无法到达网络",
        Kind::NetworkDown => "网络已断开",
        Kind::AddrInUse => "地址已被占用",
        Kind::AddrNotAvailable => "地址不可用",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Language;

    fn in_chinese(error: &io::Error) -> String {
        explain(error).in_language(Language::Chinese).to_owned()
    }

    #[test]
    fn the_system_is_quoted_in_no_language_but_english() {
        let missing = std::fs::read("no such file").unwrap_err();
        assert_eq!(explain(&missing), *missing.to_string());
        assert_eq!(in_chinese(&missing), "文件或文件夹不存在");
        assert_eq!(in_chinese(&io::Error::from_raw_os_error(i32::MAX)), format!("系统错误（代码 {}）", i32::MAX));
        assert_eq!(in_chinese(&io::Error::other("a riddle")), "未知的系统错误");
    }

    #[test]
    fn an_error_can_bring_its_words_along() {
        let told = io::Error::new(io::ErrorKind::InvalidInput, Told(text!("not a regular file", "不是普通文件")));
        assert_eq!(explain(&told), "not a regular file");
        assert_eq!(told.to_string(), "not a regular file");
        assert_eq!(in_chinese(&told), "不是普通文件");
    }
}
