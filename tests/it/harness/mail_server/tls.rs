//! A self-signed certificate for each server.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Makes an end-entity certificate; the command's defaults would make a certificate authority.
const REQUEST: &str = "[req]\nprompt = no\ndistinguished_name = name\nx509_extensions = extensions\n\
    [name]\nCN = localhost\n[extensions]\nsubjectAltName = DNS:localhost\nbasicConstraints = critical, CA:FALSE\n";

/// Creates `key.pem` and `cert.pem` for `localhost`, valid for a day.
pub fn certificate(folder: &Path) {
    certificate_for(folder, 1);
}

fn certificate_for(folder: &Path, days: u32) {
    std::fs::write(folder.join("request.cnf"), REQUEST).unwrap();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-config", "request.cnf", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", &days.to_string()])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// Accepts connections with a certificate of its own, valid for this number of days, which it leaves in the folder.
pub fn acceptor(folder: &Path, days: u32) -> TlsAcceptor {
    certificate_for(folder, days);
    let certificate = CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("key.pem")).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    TlsAcceptor::from(Arc::new(config))
}
