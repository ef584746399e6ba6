"""Errors of GraphQL as GitHub types them."""

from __future__ import annotations

from graphql import GraphQLError


def refusal(kind: str, message: str) -> GraphQLError:
    """An error that a client has to expect."""
    return GraphQLError(message, extensions={"type": kind})
