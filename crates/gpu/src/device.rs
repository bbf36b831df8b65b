//! The GPU: found, asked what it has, and loaded with the kernels.

use crate::error::GpuError;
use crate::shared::{FITTING, THREADS};
use cudarc::driver::sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream, LaunchConfig};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use ruzstd::decoding::StreamingDecoder;
use std::io::Read;
use std::sync::Arc;

/// The kernels' text, and what a compiler made of it for every GPU since 2018, packed (`kernels/make-ptx.py` makes it).
const SOURCE: [&str; 3] = [
    include_str!("../kernels/draughts.h"),
    include_str!("../kernels/solver.h"),
    include_str!("../kernels/kernels.cu"),
];
const PTX: &[u8] = include_bytes!("../kernels/kernels.ptx.zst");

/// A GPU with the kernels on it.
pub struct Device {
    pub(crate) context: Arc<CudaContext>,
    pub(crate) stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
    multiprocessors: u32,
}

impl Device {
    /// Opens a GPU by its number.
    pub fn open(number: usize) -> Result<Device, GpuError> {
        // SAFETY: looks for the library and loads it; nothing of it is called.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(GpuError::NoDriver);
        }
        let context = CudaContext::new(number).map_err(|error| GpuError::NoDevice(error.to_string()))?;
        // SAFETY: one stream is used for everything, so nothing has to wait for another.
        unsafe { context.disable_event_tracking() };
        let stream = context.default_stream();
        let multiprocessors = context.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let module = load(&context)?;
        Ok(Device {
            context,
            stream,
            module,
            multiprocessors: u32::try_from(multiprocessors).unwrap_or(1).max(1),
        })
    }

    /// What the GPU is called.
    pub fn name(&self) -> String {
        self.context.name().unwrap_or_else(|_| "a GPU".to_owned())
    }

    /// Bytes of memory that are free now.
    pub fn free_memory(&self) -> Result<u64, GpuError> {
        Ok(self.context.mem_get_info()?.0 as u64)
    }

    pub(crate) fn kernel(&self, name: &str) -> Result<CudaFunction, GpuError> {
        Ok(self.module.load_function(name)?)
    }

    /// How many blocks of threads of a kernel run at once.
    pub(crate) fn running(&self, kernel: &CudaFunction) -> Result<u32, GpuError> {
        let each = kernel.occupancy_max_active_blocks_per_multiprocessor(THREADS, 0, None)?;
        Ok(each.max(1) * self.multiprocessors)
    }

    /// As many blocks of threads as the work needs, at most as many as run at once.
    pub(crate) fn grid(&self, work: u64) -> LaunchConfig {
        let most = self.multiprocessors * FITTING;
        let blocks = u32::try_from(work.div_ceil(THREADS.into())).unwrap_or(most).clamp(1, most);
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 }
    }
}

/// The kernels that came with the program; where the driver does not take them, compiled anew.
fn load(context: &Arc<CudaContext>) -> Result<Arc<CudaModule>, GpuError> {
    let shipped = ptx().and_then(|ptx| context.load_module(ptx).map_err(|error| error.to_string()));
    match shipped {
        Ok(module) => Ok(module),
        Err(error) => match compile(context) {
            Ok(ptx) => Ok(context.load_module(ptx)?),
            Err(why) => Err(GpuError::Kernels(format!("{error}; {why}"))),
        },
    }
}

/// The kernels that came with the program.
fn ptx() -> Result<Ptx, String> {
    unpacked().map(Ptx::from_src).map_err(|error| error.to_string())
}

fn unpacked() -> std::io::Result<String> {
    let mut text = String::new();
    StreamingDecoder::new(PTX).map_err(std::io::Error::other)?.read_to_string(&mut text)?;
    Ok(text)
}

fn compile(context: &Arc<CudaContext>) -> Result<Ptx, String> {
    // SAFETY: as above.
    if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
        return Err("and the compiler (libnvrtc) is not installed".to_owned());
    }
    let (major, minor) = context.compute_capability().map_err(|error| error.to_string())?;
    let options = vec![format!("--gpu-architecture=compute_{major}{minor}"), "--std=c++17".to_owned()];
    compile_ptx_with_opts(source(), CompileOptions { options, ..CompileOptions::default() })
        .map_err(|error| error.to_string())
}

/// The headers and the kernels as one text.
pub(crate) fn source() -> String {
    let own = |line: &&str| !line.starts_with("#include") && !line.starts_with("#pragma once");
    SOURCE.iter().flat_map(|text| text.lines().filter(own)).flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiled_kernels_are_those_of_the_source() {
        let text = unpacked().unwrap();
        let first = text.lines().next().unwrap_or_default();
        let known = format!("// kernels {:08x}", crc32fast::hash(source().as_bytes()));
        assert_eq!(first, known, "make kernels.ptx.zst anew: kernels/make-ptx.py says how");
    }

    #[test]
    fn a_machine_without_a_gpu_is_told_so() {
        match Device::open(usize::MAX >> 33) {
            Ok(_) => panic!("nobody has so many"),
            Err(error) => assert!(error.to_string().starts_with("no GPU can be used: "), "{error}"),
        }
    }
}
