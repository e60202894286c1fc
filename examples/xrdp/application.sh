#!/bin/sh
# Begins with a new page.
cd "$HOME" || exit
: >draft.txt
exec mousepad draft.txt
