//! 5-Visible: stacks of bricks on nine positions; five on top win.
