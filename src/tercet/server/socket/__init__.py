"""A table's WebSocket: bytes come in (`transport`, `entrance`, `inbox`) and go out (`connection`, `transport`)."""
