"""What other tools have found, told beside our own findings: SARIF read, placed and attached."""
