// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Code for an `eth_call` without a recipient: it answers the places and coin balances of those of the packed addresses
/// that hold coins. Nothing is deployed.
contract CoinBalances {
    constructor(bytes memory addresses) {
        assembly ("memory-safe") {
            let count := div(mload(addresses), 20)
            let first := add(addresses, 32)
            let answer := mload(0x40)
            let end := answer
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                let held := balance(shr(96, mload(add(first, mul(i, 20)))))
                if held {
                    mstore(end, i)
                    mstore(add(end, 32), held)
                    end := add(end, 64)
                }
            }
            return(answer, sub(end, answer))
        }
    }
}
