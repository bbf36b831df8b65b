//! Arx: rules and exact codes.
