"""Tells the numbers of users that two runs found by the rule that was asked for, which must be there.

On a quiet machine they are within 3 of each other; other load on it moves them, so that is told and no failure."""
import json
import sys


def users(path):
    with open(path) as file:
        summary = json.load(file)["analysis"]["users"]
    asked = [count for count in summary if count["is_asked"]]
    if len(asked) != 1 or asked[0]["status"] != "met":
        sys.exit(f"{path} has no number of users: {asked}")
    return asked[0]["users"]


one, other = (users(path) for path in sys.argv[1:])
differ = "within" if abs(one - other) <= 3 else "NOT within"
print(f"note: the sessions carry {one:.1f} and {other:.1f} users, {differ} 3 of each other")
