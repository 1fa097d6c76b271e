"""Opens two accounts, and moves money between them: write, transfer, hold, capture, reverse, then what the log has."""

import os
import uuid

from accounts_client import AuthenticatedClient
from accounts_client.api.accounts import create_account, get_account, update_account
from accounts_client.api.events import list_events
from accounts_client.api.holds import capture_hold, create_hold
from accounts_client.api.ledger import list_entries
from accounts_client.api.transfers import create_transfer, reverse_transfer
from accounts_client.models import AccountUpdate, NewAccount, NewCapture, NewHold, NewReversal, NewTransfer, Problem

client = AuthenticatedClient(base_url="http://127.0.0.1:4001", token=os.environ["TOKEN"])


def call(operation, *args, **kwargs):
    """The parsed body of a response that is not a problem."""
    parsed = operation.sync_detailed(*args, client=client, **kwargs).parsed
    if isinstance(parsed, Problem):
        raise RuntimeError(parsed.detail)
    return parsed


def write(operation, *args, **kwargs):
    """A write that can be repeated: it has an Idempotency-Key."""
    return call(operation, *args, idempotency_key=str(uuid.uuid4()), **kwargs)


start = call(list_events).next_cursor
rent = write(create_account, body=NewAccount(balance_minor_units=2**53 + 1)).id
savings = write(create_account, body=NewAccount(balance_minor_units=0)).id

# Compare-and-swap: the write has the ETag of the read.
read = get_account.sync_detailed(rent, client=client)
swap = {
    "if_match": read.headers["ETag"],
    "prefer": "return=representation",
    "body": AccountUpdate(balance_minor_units=read.parsed.balance_minor_units + 1000),
}
print(f"written: {call(update_account, rent, **swap).balance_minor_units}")
again = update_account.sync_detailed(rent, client=client, **swap).parsed
print(f"written again: {again.type_.split('/')[-1]}")

november = NewTransfer(to_account_id=savings, amount_minor_units=2500, reference="November")
transfer = write(create_transfer, rent, body=november)
hold = write(create_hold, rent, body=NewHold(amount_minor_units=9000))
capture = write(capture_hold, hold.id, body=NewCapture(to_account_id=savings, amount_minor_units=8500))
print(f"captured: {capture.amount_minor_units} of {hold.amount_minor_units}")
reversal = write(reverse_transfer, transfer.id, body=NewReversal())
print(f"reversed: {reversal.reverses == transfer.id}")

entries = call(list_entries, rent).items
print("entries: " + ", ".join(str(entry.amount_minor_units) for entry in entries))
print(f"balance: {entries[0].balance_minor_units}")

events = call(list_events, after=start, limit=100).items
print("events: " + ", ".join(event.type_ for event in events))
