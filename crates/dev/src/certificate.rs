//! The certificate of `https`: signed by itself, made once for each user, and kept in one file together with its key.
//!
//! Nothing trusts it but a browser in which somebody says so. It can sign no other certificate, so to trust it is to trust
//! this machine and nothing else.

use std::{
    collections::BTreeSet,
    fs, io,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rcgen::{CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};

/// The file in the user's folder.
const FILE: &str = "https.pem";
/// How long a certificate holds. Browsers refuse those that hold for more than two years.
const LIFETIME: Duration = Duration::from_hours(365 * 24);
/// How long before its end it is renewed.
const EARLY: Duration = Duration::from_hours(30 * 24);
/// How far clocks may differ.
const SLACK: Duration = Duration::from_hours(24);
/// For so many names it is valid at most: networks come and go.
const MOST_NAMES: usize = 32;

/// A certificate with its key, for a server.
#[derive(Clone, Debug)]
pub struct Certificate(pub(crate) Arc<ServerConfig>);

/// What the file holds.
struct Kept {
    /// The names and addresses that it is valid for.
    names: BTreeSet<String>,
    /// When it ends, in seconds since 1970.
    ends: u64,
    text: String,
}

impl Certificate {
    /// The certificate of the user whose folder this is, valid for localhost, the loopback addresses and other `addresses`.
    /// Where there is none that will do, one is made and kept for the next time; why that could not be kept comes with it.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn of_user(folder: Option<&Path>, addresses: &[String]) -> io::Result<(Self, Option<io::Error>)> {
        Self::at(folder.map(|folder| folder.join(FILE)).as_deref(), addresses, SystemTime::now())
    }

    fn at(file: Option<&Path>, addresses: &[String], now: SystemTime) -> io::Result<(Self, Option<io::Error>)> {
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let wanted: BTreeSet<String> = loopback.into_iter().chain(addresses.iter().cloned()).collect();
        let kept = file.and_then(Kept::read);
        if let Some(kept) = &kept
            && kept.will_do(&wanted, now)
            && let Ok(config) = config(&kept.text)
        {
            return Ok((Self(config), None));
        }
        // Whoever goes to and fro between networks should not have to allow it each time.
        let earlier = kept.into_iter().flat_map(|kept| kept.names).filter(|name| !wanted.contains(name));
        let earlier: Vec<String> = earlier.take(MOST_NAMES.saturating_sub(wanted.len())).collect();
        let made = Kept::make(wanted.into_iter().chain(earlier).collect(), now)?;
        let written = file.map_or_else(|| Err(io::ErrorKind::NotFound.into()), |file| made.write(file));
        Ok((Self(config(&made.text)?), written.err()))
    }
}

impl Kept {
    fn read(file: &Path) -> Option<Self> {
        // Somebody else may have read the key.
        if !is_private(file) {
            return None;
        }
        let text = fs::read_to_string(file).ok()?;
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
        let names = value("names: ")?.split(' ').map(str::to_owned).collect();
        let ends = value("ends: ")?.parse().ok()?;
        Some(Self { names, ends, text })
    }

    fn will_do(&self, wanted: &BTreeSet<String>, now: Duration) -> bool {
        let ends = Duration::from_secs(self.ends);
        let is_of_now = ends > now + EARLY && ends <= now + LIFETIME + SLACK;
        is_of_now && wanted.is_subset(&self.names)
    }

    fn make(names: BTreeSet<String>, now: Duration) -> io::Result<Self> {
        let ends = now + LIFETIME;
        let epoch = rcgen::date_time_ymd(1970, 1, 1);
        let mut params = CertificateParams::new(names.iter().cloned().collect::<Vec<_>>()).map_err(io::Error::other)?;
        params.distinguished_name.push(DnType::CommonName, "portalgen dev");
        params.not_before = epoch + now.saturating_sub(SLACK);
        params.not_after = epoch + ends;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let certificate = params.self_signed(&key).map_err(io::Error::other)?;
        let list = names.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let (certificate, key) = (certificate.pem(), key.serialize_pem());
        let seconds = ends.as_secs();
        let text = format!(
            "Certificate and key of `portalgen dev --https`. To get new ones, delete this file.\nnames: {list}\n\
             ends: {seconds}\n\n{certificate}{key}"
        );
        Ok(Self { names, ends: seconds, text })
    }

    /// Puts the file in the place of the one before, so that others find either of them.
    fn write(&self, file: &Path) -> io::Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let draft = file.with_extension(format!("{}.tmp", std::process::id()));
        let written = write_private(&draft, &self.text).and_then(|()| fs::rename(&draft, file));
        if written.is_err() {
            // Perhaps it was never there.
            let _ = fs::remove_file(&draft);
        }
        written
    }
}

/// Whether nobody else may read a file. Elsewhere than on Unix, folders see to that.
#[cfg(unix)]
fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o777 == 0o600)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> bool {
    true
}

/// Writes a new file that nobody else may read.
fn write_private(file: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    io::Write::write_all(&mut options.open(file)?, text.as_bytes())
}

fn config(text: &str) -> io::Result<Arc<ServerConfig>> {
    let certificate = CertificateDer::from_pem_slice(text.as_bytes()).map_err(io::Error::other)?;
    let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(io::Error::other)?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![certificate], key))
        .map_err(io::Error::other)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, time::SystemTime};

    use super::{Certificate, Duration, FILE, LIFETIME, SLACK};

    /// What is kept after a server was started.
    fn started(file: &Path, addresses: &[&str], now: SystemTime) -> String {
        let addresses: Vec<String> = addresses.iter().map(|address| (*address).to_owned()).collect();
        let (_, problem) = Certificate::at(Some(file), &addresses, now).unwrap();
        assert!(problem.is_none(), "{problem:?}");
        fs::read_to_string(file).unwrap()
    }

    #[test]
    fn a_certificate_is_made_once_and_renewed_before_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("portalgen").join(FILE);
        let now = SystemTime::now();
        let first = started(&file, &[], now);
        assert!(first.contains("\nnames: 127.0.0.1 ::1 localhost\n"), "{first}");
        assert_eq!(started(&file, &[], now + Duration::from_hours(300 * 24)), first);
        let later = now + LIFETIME - Duration::from_hours(24 * 24);
        let renewed = started(&file, &[], later);
        assert_ne!(renewed, first);
        // A clock that was wrong when it was made, and is right now.
        assert_ne!(started(&file, &[], later - Duration::from_hours(400 * 24) - SLACK), renewed);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn addresses_of_a_network_are_added_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, now) = (folder.path().join(FILE), SystemTime::now());
        let names = |text: &str| text.lines().find_map(|line| line.strip_prefix("names: ")).unwrap().to_owned();
        started(&file, &[], now);
        assert_eq!(names(&started(&file, &["192.168.1.7"], now)), "127.0.0.1 192.168.1.7 ::1 localhost");
        let both = started(&file, &["10.1.2.3"], now);
        assert_eq!(names(&both), "10.1.2.3 127.0.0.1 192.168.1.7 ::1 localhost");
        assert_eq!(started(&file, &["192.168.1.7"], now), both);
        for number in 0..100 {
            started(&file, &[&format!("10.0.0.{number}")], now);
        }
        assert!(names(&started(&file, &["10.9.9.9"], now)).split(' ').count() <= 32);
    }

    #[test]
    fn what_cannot_be_used_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (file, now) = (folder.path().join(FILE), SystemTime::now());
        let first = started(&file, &[], now);
        let second = {
            fs::remove_file(&file).unwrap();
            started(&file, &[], now)
        };
        // The key of one and the certificate of the other.
        let (head, _) = first.split_once("-----BEGIN PRIVATE").unwrap();
        let (_, key) = second.split_once("-----BEGIN PRIVATE").unwrap();
        for broken in [format!("{head}-----BEGIN PRIVATE{key}"), head.to_owned(), "names: x".to_owned(), String::new()]
        {
            fs::write(&file, &broken).unwrap();
            assert_ne!(started(&file, &[], now), broken);
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_the_key() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (file, now) = (folder.path().join(FILE), SystemTime::now());
        let first = started(&file, &[], now);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert_ne!(started(&file, &[], now), first);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn without_a_folder_it_serves_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "no folder").unwrap();
        let (_, problem) = Certificate::at(Some(&file.join(FILE)), &[], SystemTime::now()).unwrap();
        assert!(problem.is_some());
    }
}
