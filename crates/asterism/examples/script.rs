//! A program that Ruby code extends: rules are text that its users write, run with limits, and what is wrong with them is told.
//!
//! ```sh
//! cargo run -p asterism --example script
//! ```

use std::time::Duration;

use asterism::{Error, Vm};

/// An order, as the program knows it.
struct Order {
    customer: &'static str,
    amount: f64,
}

/// What users wrote: each is the body of a method that gets a customer and an amount, and says what to take off.
const RULES: [(&str, &str); 4] = [
    ("regulars", "customer == 'Ada' ? amount * 0.1 : 0.0"),
    ("large orders", "amount > 100 ? 5.0 : 0.0"),
    ("broken", "amount.discount"),
    ("endless", "loop {}"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let orders = [Order { customer: "Ada", amount: 120.0 }, Order { customer: "Bob", amount: 40.0 }];
    for (name, body) in RULES {
        // Each rule has a VM of its own: nothing it does is seen by the others.
        let vm = Vm::builder().memory_limit(64 << 20).time_limit(Duration::from_millis(200)).build()?;
        vm.eval_as(&format!("def rule(customer, amount) = ({body})"), name)?;
        for order in &orders {
            match vm.call("rule", (order.customer, order.amount)).and_then(|answer| answer.to::<f64>()) {
                Ok(discount) => println!("{name}: {} gets {discount:.2} off", order.customer),
                Err(Error::Exception(e)) => println!("{name}: {}: {}", e.class, e.message),
                Err(other) => println!("{name}: {other}"),
            }
        }
    }
    Ok(())
}
