//! Between a client and a PostgreSQL server whose row counts cannot be trusted.
//!
//! Some servers that speak PostgreSQL's language (Citus, for one) report how many rows an `INSERT` was
//! given, not how many it inserted. This proxy does the same to an ordinary server: behind every `INSERT`
//! it reports the number of rows that were copied in just before.

use std::io::{BufReader, Read, Result, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

/// Listens on a port of its own; the address of the same database by way of the proxy.
pub(crate) fn with_wrong_counts(url: &str) -> String {
    let (head, rest) = url.split_once('@').expect("a user");
    let (server, database) = rest.split_once('/').expect("a database");
    let (server, listener) = (server.to_owned(), TcpListener::bind("127.0.0.1:0").expect("a free port"));
    let port = listener.local_addr().expect("an address").port();
    // Ends with the process: nobody connects any more.
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect(&server) else { continue };
            serve(client, server).expect("two threads");
        }
    });
    format!("{head}@127.0.0.1:{port}/{database}")
}

fn serve(mut client: TcpStream, mut server: TcpStream) -> Result<()> {
    // Small messages go back and forth: none may wait for company.
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut questions, mut answered) = (client.try_clone()?, server.try_clone()?);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut questions, &mut answered);
        let _ = answered.shutdown(Shutdown::Write);
    });
    std::thread::spawn(move || {
        let _ = pass_on(&mut server, &mut client);
        let _ = client.shutdown(Shutdown::Both);
    });
    Ok(())
}

/// Hands on what the server says, message by message: a letter, the length of the rest u32, the rest.
fn pass_on(server: &mut TcpStream, client: &mut TcpStream) -> Result<()> {
    let (mut server, mut copied) = (BufReader::new(server), String::new());
    loop {
        let mut head = [0; 5];
        server.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let mut body = vec![0; (u32::from_be_bytes(length) as usize).saturating_sub(4)];
        server.read_exact(&mut body)?;
        if kind == b'C' {
            body = reported(&body, &mut copied);
        }
        let length = (body.len() as u32 + 4).to_be_bytes();
        client.write_all(&[&[kind], &length[..], &body].concat())?;
    }
}

/// What is reported when a command is complete.
fn reported(tag: &[u8], copied: &mut String) -> Vec<u8> {
    let text = String::from_utf8_lossy(tag);
    match text.trim_end_matches('\0').split_once(' ') {
        Some(("COPY", rows)) => rows.clone_into(copied),
        Some(("INSERT", _)) if !copied.is_empty() => return format!("INSERT 0 {copied}\0").into_bytes(),
        _ => {}
    }
    tag.to_vec()
}
