//! What can go wrong with a GPU.

use tabia_solve::{FileError, SolveError};

/// Why something could not be done on a GPU.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver.
    #[error("no GPU can be used: the CUDA driver (libcuda) is not installed on this machine")]
    NoDriver,
    /// There is a driver but no such device.
    #[error("no GPU can be used: {0}")]
    NoDevice(String),
    /// The driver refused something.
    #[error("the GPU's driver: {0}")]
    Driver(#[from] cudarc::driver::DriverError),
    /// The kernels could not be compiled for this device.
    #[error("the kernels could not be compiled for this GPU: {0}")]
    Kernels(String),
    /// The tables do not fit.
    #[error(
        "{pieces} pieces need {} of the GPU's memory, and {} are free; up to {fitting} pieces fit",
        tabia_solve::bytes(*.needed), tabia_solve::bytes(*.free)
    )]
    Memory {
        /// The pieces asked for.
        pieces: u32,
        /// Bytes for them at the worst moment.
        needed: u64,
        /// Bytes that the driver says are free.
        free: u64,
        /// The most pieces that fit.
        fitting: u32,
    },
    /// More pieces than the kernels can number.
    #[error("endings of {0} pieces cannot be built on a GPU: 2 to 8 can")]
    Pieces(u32),
    /// Somebody asked for it.
    #[error("stopped")]
    Stopped,
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<GpuError> for SolveError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::Stopped => SolveError::Stopped,
            GpuError::File(error) => SolveError::File(error),
            other => SolveError::Device(other.to_string()),
        }
    }
}
