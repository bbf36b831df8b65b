//! Who takes part: the addresses of all processes, in the order of their numbers.

use crate::error::ClusterError;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::Path;

/// The addresses of all processes, `host:port` each; the place in the list is the number of the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads a list: an address a line; empty lines and what follows a `#` are left out.
    pub fn read(path: &Path) -> Result<Hosts, ClusterError> {
        let text = std::fs::read_to_string(path).map_err(ClusterError::io(path))?;
        Self::parse(&text).map_err(|message| ClusterError::Hosts { path: path.to_owned(), message })
    }

    /// The same from the text of the list.
    pub fn parse(text: &str) -> Result<Hosts, String> {
        let mut hosts = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let host = line.split('#').next().unwrap_or_default().trim();
            if host.is_empty() {
                continue;
            }
            let port = host.rsplit_once(':').and_then(|(name, port)| (!name.is_empty()).then_some(port));
            if port.and_then(|port| port.parse::<u16>().ok()).is_none_or(|port| port == 0) {
                return Err(format!("line {}: expected host:port, found {host:?}", number + 1));
            }
            if hosts.iter().any(|known| known == host) {
                return Err(format!("line {}: {host} is there twice", number + 1));
            }
            hosts.push(host.to_owned());
        }
        if hosts.is_empty() { Err("there is no host in the list".to_owned()) } else { Ok(Hosts(hosts)) }
    }

    /// So many processes on this machine, at ports that are free now.
    pub fn here(processes: usize) -> std::io::Result<Hosts> {
        let bind = |_| TcpListener::bind(("127.0.0.1", 0));
        // All at once, so that no port is given out twice.
        let listeners = (0..processes.max(1)).map(bind).collect::<Result<Vec<_>, _>>()?;
        let name = |listener: &TcpListener| Ok(listener.local_addr()?.to_string());
        Ok(Hosts(listeners.iter().map(name).collect::<std::io::Result<_>>()?))
    }

    /// How many processes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none, which no list has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The list as text, a line each.
    pub fn to_text(&self) -> String {
        self.0.iter().flat_map(|host| [host, "\n"]).collect()
    }

    /// A process as messages name it.
    pub fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.address(process))
    }

    pub(crate) fn address(&self, process: usize) -> &str {
        self.0.get(process).map_or("not in the list", String::as_str)
    }

    /// Where a process can be reached.
    pub(crate) fn resolve(&self, process: usize) -> std::io::Result<Vec<SocketAddr>> {
        Ok(self.address(process).to_socket_addrs()?.collect())
    }

    /// Whether a machine of the list has this address.
    pub(crate) fn allows(&self, address: IpAddr) -> bool {
        let is = |known: SocketAddr| known.ip().to_canonical() == address.to_canonical();
        (0..self.len()).any(|process| self.resolve(process).is_ok_and(|all| all.into_iter().any(is)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_and_its_faults_are_named() {
        let text = "# three machines\n10.0.0.1:7000\n\n10.0.0.2:7000 # the large one\nnode3:7000\n";
        let hosts = Hosts::parse(text).unwrap();
        assert_eq!(hosts.len(), 3);
        assert_eq!(hosts.name(1), "process 1 (10.0.0.2:7000)");
        assert_eq!(Hosts::parse(&hosts.to_text()), Ok(hosts));
        for (text, fault) in [
            ("node1", "line 1: expected host:port"),
            ("a:1\nb:x", "line 2: expected host:port"),
            ("a:0", "line 1: expected host:port"),
            ("a:1\na:1", "line 2: a:1 is there twice"),
            ("# nobody\n", "no host"),
        ] {
            let error = Hosts::parse(text).unwrap_err();
            assert!(error.contains(fault), "{text:?}: {error}");
        }
    }

    #[test]
    fn only_machines_of_the_list_are_let_in() {
        let hosts = Hosts::parse("127.0.0.1:7000").unwrap();
        assert!(hosts.allows("127.0.0.1".parse().unwrap()));
        assert!(hosts.allows("::ffff:127.0.0.1".parse().unwrap()));
        assert!(!hosts.allows("127.0.0.2".parse().unwrap()));
    }
}
