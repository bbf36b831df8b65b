//! The workers of a process: started together, ended together.

use crate::error::ClusterError;
use crate::flat::FORMAT;
use crate::hello::Task;
use crate::hosts::Hosts;
use crate::life::Life;
use crate::mesh;
use crate::net::Net;
use crate::status::Gauges;
use crate::wire::Wire;
use std::any::Any;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;
use tabia_core::Stop;
use timely::WorkerConfig;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::communication::{Hooks, WorkerGuards};

/// What a worker has done, whatever it is.
type Done = Box<dyn Any + Send>;

/// The work of a worker.
type Job = dyn Fn(&mut Net<'_>) -> Result<Done, ClusterError> + Send + Sync;

/// Where the work is done.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// All processes.
    pub hosts: Hosts,
    /// The number of this one.
    pub process: usize,
    /// Workers of each process.
    pub workers: usize,
    /// How long a process may be silent, and how long all are waited for in the beginning.
    pub timeout: Duration,
}

/// The most workers there can be: each owns some of the shards.
pub const MOST_WORKERS: usize = crate::shard::SHARDS;

impl Cluster {
    /// One process with so many workers.
    pub fn alone(workers: usize) -> std::io::Result<Cluster> {
        Ok(Cluster { hosts: Hosts::here(1)?, process: 0, workers, timeout: Duration::from_secs(30) })
    }

    fn check(&self) -> Result<(), ClusterError> {
        let (processes, workers) = (self.hosts.len(), self.hosts.len() * self.workers);
        let fault = if self.process >= processes {
            format!("there are {processes} processes, numbered from 0: there is no process {}", self.process)
        } else if workers == 0 || workers > MOST_WORKERS {
            format!("{workers} workers are not between 1 and {MOST_WORKERS}")
        } else if self.timeout < Duration::from_secs(1) {
            "the time-out must be a second or more: signs of life come twice a second".to_owned()
        } else {
            return Ok(());
        };
        Err(ClusterError::Unsupported(fault))
    }

    /// Does the work in every worker of this process, together with those of all others; their results in the order of
    /// the workers. `watch` is called now and then with the figures of the workers of all processes.
    pub fn run<T: Send + 'static>(
        &self,
        task: &Task,
        stop: &Stop,
        watch: &mut dyn FnMut(&[Gauges]),
        job: impl Fn(&mut Net<'_>) -> Result<T, ClusterError> + Send + Sync + 'static,
    ) -> Result<Vec<T>, ClusterError> {
        let job = move |net: &mut Net<'_>| job(net).map(|result| Box::new(result) as Done);
        let done = self.run_any(task, stop, watch, Box::new(job))?;
        Ok(done.into_iter().filter_map(|result| result.downcast().ok()).map(|result| *result).collect())
    }

    /// The same for any work: what starts workers and waits for them is compiled once.
    fn run_any(
        &self,
        task: &Task,
        stop: &Stop,
        watch: &mut dyn FnMut(&[Gauges]),
        job: Box<Job>,
    ) -> Result<Vec<Done>, ClusterError> {
        self.check()?;
        let task =
            task.clone().with("processes", self.hosts.len()).with("workers of a process", self.workers);
        let task = task.with("messages", FORMAT);
        let mesh = mesh::connect(&self.hosts, self.process, &task, self.timeout)?;
        let start = |error: std::io::Error| ClusterError::Start(error.to_string());
        let life = Life::begin(&self.hosts, self.process, self.workers, mesh.control, self.timeout);
        let life = life.map_err(start)?;
        let (builders, held) = self.builders(mesh.data, &life)?;
        let (sender, results) = channel();
        let shared = Arc::clone(&life);
        let guards = timely::execute::execute_from(builders, held, WorkerConfig::default(), move |worker| {
            let index = worker.index();
            let mut alarm = Alarm { index, sender: Some(sender.clone()) };
            let mut net = Net::new(worker, Arc::clone(&shared));
            let result = job(&mut net).and_then(|result| net.exchange_figures().map(|()| result));
            if result.is_ok() {
                net.finish();
            } else {
                net.abandon();
            }
            alarm.tell(result);
        });
        let guards = guards.map_err(ClusterError::Start)?;
        let mut done: Vec<Option<Done>> = (0..self.workers).map(|_| None).collect();
        let first = self.process * self.workers;
        while done.iter().any(Option::is_none) && !life.has_failed() {
            match results.recv_timeout(Duration::from_millis(100)) {
                Ok((worker, Ok(result))) => {
                    if let Some(place) = done.get_mut(worker.saturating_sub(first)) {
                        *place = Some(result);
                    }
                }
                Ok((_, Err(error))) => life.fail(error),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => life.fail(panicked()),
            }
            if stop.is_stopped() {
                life.fail(ClusterError::Stopped);
            }
            watch(&life.gauges);
        }
        watch(&life.gauges);
        self.end(&life, guards)?;
        Ok(done.into_iter().flatten().collect())
    }

    /// The channels between workers: in memory within a process, by the connections between processes.
    fn builders(
        &self,
        data: Vec<Option<TcpStream>>,
        life: &Arc<Life>,
    ) -> Result<(Vec<AllocatorBuilder>, Box<dyn std::any::Any + Send>), ClusterError> {
        if self.hosts.len() == 1 {
            let config = timely::CommunicationConfig::Process(self.workers);
            return config.try_build().map_err(ClusterError::Start);
        }
        let start = |error: std::io::Error| ClusterError::Start(error.to_string());
        let wire = |(peer, stream): (usize, Option<TcpStream>)| {
            stream.map(|stream| Wire::new(stream, peer, Arc::clone(life))).transpose()
        };
        let wires = data.into_iter().enumerate().map(wire).collect::<Result<Vec<_>, _>>().map_err(start)?;
        let hooks = Hooks::default();
        let inside =
            ProcessBuilder::new_typed_vector(self.workers, hooks.refill.clone(), hooks.spill.clone());
        let (builders, guard) =
            initialize_networking_from_sockets(inside, wires, self.process, self.workers, hooks)
                .map_err(start)?;
        Ok((builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Box::new(guard)))
    }

    /// Waits for the others and for the threads; after a failure, for nobody.
    fn end(&self, life: &Life, guards: WorkerGuards<()>) -> Result<(), ClusterError> {
        let farewell =
            if life.has_failed() { Err(ClusterError::Stopped) } else { life.farewell(self.timeout) };
        let Err(error) = farewell else {
            drop(guards);
            return Ok(());
        };
        let error = life.take_failure().unwrap_or(error);
        life.tell_failure(&error);
        // Threads of timely may wait for a connection that is gone, for ever.
        std::mem::forget(guards);
        Err(error)
    }
}

fn panicked() -> ClusterError {
    ClusterError::Start("a worker has panicked".to_owned())
}

/// Tells the result of a worker, or that there is none.
struct Alarm {
    index: usize,
    sender: Option<Sender<(usize, Result<Done, ClusterError>)>>,
}

impl Alarm {
    fn tell(&mut self, result: Result<Done, ClusterError>) {
        if let Some(sender) = self.sender.take() {
            // Nobody listens any more when the work has failed.
            let _ = sender.send((self.index, result));
        }
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.tell(Err(panicked()));
    }
}
