"""Each layer turns content into one LayerResult."""
