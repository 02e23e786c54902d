//! The sizes cells come in.

/// Bytes in the unit that cell addresses and sizes are multiples of.
pub(crate) const GRANULE: usize = 8;
/// Larger objects get blocks of their own.
pub(crate) const MAX_SMALL: usize = 16 * 1024;

/// Cell sizes: steps of 8 bytes to 80, then about an eighth to a third.
pub(crate) const SIZES: [u16; 32] = [
    24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 1024, 1280, 1536,
    2048, 2560, 3072, 4096, 6544, 8192, 10912, 16384,
];

/// How many size classes there are.
pub(crate) const CLASSES: usize = SIZES.len();

const TABLE: [u8; MAX_SMALL / GRANULE + 1] = {
    let mut table = [0; MAX_SMALL / GRANULE + 1];
    let mut granules = 0;
    let mut class = 0;
    while granules < table.len() {
        if granules * GRANULE > SIZES[class] as usize {
            class += 1;
        }
        table[granules] = class as u8;
        granules += 1;
    }
    table
};

/// The class for cells of `size` bytes, which is at most `MAX_SMALL`.
#[inline(always)]
pub(crate) const fn class_for(size: usize) -> usize {
    TABLE[size.div_ceil(GRANULE)] as usize
}

/// The multiplier that turns a granule offset within a block into a cell index: `(granule * reciprocal) >> 32`.
pub(crate) const fn reciprocal(class: usize) -> u32 {
    let granules = SIZES[class] as u64 / GRANULE as u64;
    ((1_u64 << 32).div_ceil(granules)) as u32
}

const _: () = {
    // Every size is a multiple of the granule, and the reciprocal is exact for every granule of a block.
    let mut class = 0;
    while class < CLASSES {
        let granules = SIZES[class] as u64 / GRANULE as u64;
        assert!((SIZES[class] as usize).is_multiple_of(GRANULE));
        let mut granule = 0;
        while granule < 8192 {
            assert!((granule * reciprocal(class) as u64) >> 32 == granule / granules);
            granule += 1;
        }
        class += 1;
    }
};
