//! The description of the API: committed, and the same as what is served.

mod support;

use std::path::Path;
use support::site;

#[tokio::test]
async fn the_committed_description_is_the_served_one() {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json"));
    let served = site().get("/api/v1/openapi.json").await.json();
    let text = serde_json::to_string_pretty(&served).unwrap() + "\n";
    if std::env::var_os("TABIA_BLESS").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    let committed = std::fs::read_to_string(file).unwrap_or_default();
    assert!(committed == text, "docs/openapi.json is not what the code says: TABIA_BLESS=1 writes it anew");
}

#[tokio::test]
async fn every_reference_leads_somewhere_and_every_route_answers() {
    let site = site();
    let document = site.get("/api/v1/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        let numbered = name.ends_with(|last: char| last.is_ascii_digit());
        assert!(!numbered, "{name}: two types share a name");
    }
    for (path, operations) in document["paths"].as_object().unwrap() {
        let path = path.replace("{game}", "solitaire").replace("{id}", "1");
        for method in operations.as_object().unwrap().keys() {
            let answer = site.send_json(&method.to_uppercase(), &path, &serde_json::json!({})).await;
            assert_ne!(answer.status, 405, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn every_query_and_every_body_refuses_unknown_fields() {
    let site = site();
    let document = site.get("/api/v1/openapi.json").await.json();
    let mut refused = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        let path = path.replace("{game}", "chess").replace("{id}", "1");
        for (method, operation) in operations.as_object().unwrap() {
            let queried =
                operation["parameters"].as_array().unwrap().iter().any(|known| known["in"] == "query");
            let address = if queried { format!("{path}?nonsense=1") } else { path.clone() };
            if !queried && operation["requestBody"]["content"]["application/json"].is_null() {
                continue;
            }
            let body = serde_json::json!({ "nonsense": 1 });
            let answer = site.send_json(&method.to_uppercase(), &address, &body).await;
            assert_eq!(answer.status, 400, "{method} {address}: {}", answer.text());
            assert!(
                answer.text().contains("unknown field `nonsense`"),
                "{method} {address}: {}",
                answer.text()
            );
            refused += 1;
        }
    }
    assert!(refused > 8, "{refused}");
}
