// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "@openzeppelin/contracts/interfaces/IERC1271.sol";
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "../SpendPermission.sol";

interface ICharger {
    function charge(
        SpendPermission calldata permission,
        uint160 value,
        address split,
        uint48 periodStart,
        bytes calldata signature
    ) external;
}

/// A token that misbehaves in the configured way. Any account may mint.
contract HostileToken is ERC20 {
    enum Way {
        Honest,
        /// Burns one percent of every transfer.
        TakesFee,
        /// Moves nothing and returns false.
        SaysNo,
        /// Moves nothing and returns true.
        Lies,
        /// Charges again from within a transfer.
        Reenters
    }

    Way private immutable _way;
    ICharger private _charger;
    bytes private _call;

    constructor(Way way) ERC20("Hostile", "HOS") {
        _way = way;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function arm(ICharger charger, bytes calldata call) external {
        _charger = charger;
        _call = call;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        return _misbehave(amount) ? super.transfer(to, amount) : _way == Way.Lies;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        return _misbehave(amount) ? super.transferFrom(from, to, amount) : _way == Way.Lies;
    }

    function _misbehave(uint256) private returns (bool) {
        if (_way == Way.SaysNo || _way == Way.Lies) return false;
        if (_way == Way.Reenters && address(_charger) != address(0)) {
            (bool success, bytes memory answer) = address(_charger).call(_call);
            if (!success) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
        return true;
    }

    function _afterTokenTransfer(address from, address to, uint256 amount) internal override {
        if (_way == Way.TakesFee && from != address(0) && to != address(0)) _burn(to, amount / 100);
    }
}

/// A token whose functions have no return values, like the oldest ERC-20 tokens.
contract SilentToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// An account that misbehaves in the configured way. It accepts every signature.
contract HostileAccount is IERC1271 {
    enum Way {
        Obeys,
        /// Does nothing when it should approve the allowance.
        Idles,
        /// Burns all gas.
        BurnsGas,
        /// Returns a very large amount of data.
        Floods,
        /// Makes the configured call.
        Calls
    }

    Way private immutable _way;
    address private _target;
    bytes private _call;

    constructor(Way way) {
        _way = way;
    }

    function arm(address target, bytes calldata call) external {
        _target = target;
        _call = call;
    }

    function isOwnerAddress(address) external pure returns (bool) {
        return true;
    }

    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return IERC1271.isValidSignature.selector;
    }

    function execute(address target, uint256 value, bytes calldata data) external payable {
        if (_way == Way.Idles) return;
        if (_way == Way.BurnsGas) while (true) {}
        if (_way == Way.Floods) {
            assembly {
                return(0, 1000000)
            }
        }
        if (_way == Way.Calls) {
            (bool success, bytes memory answer) = _target.call(_call);
            if (!success) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
        (bool done,) = target.call{value: value}(data);
        require(done, "execute failed");
    }
}

/// A contract whose functions misbehave in the configured way.
contract HostileStranger {
    enum Way {
        /// Asks the caller to request a URL (EIP-3668), in the name of the configured contract.
        LooksUp,
        /// Returns a very large amount of data.
        Floods,
        /// Reverts with a very large amount of data.
        RevertsAtLength,
        /// Burns all gas.
        BurnsGas
    }

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData);

    Way private immutable _way;
    address private immutable _sender;
    bool private immutable _agrees;
    string private _url;

    /// @param sender the contract that asks; this one if it is zero
    /// @param agrees whether it accepts every signature and every owner, and misbehaves elsewhere only
    constructor(Way way, address sender, bool agrees, string memory url) {
        _way = way;
        _sender = sender == address(0) ? address(this) : sender;
        _agrees = agrees;
        _url = url;
    }

    receive() external payable {
        _misbehave();
    }

    fallback() external payable {
        _misbehave();
    }

    function isOwnerAddress(address) external view returns (bool) {
        if (!_agrees) _misbehave();
        return true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (!_agrees) _misbehave();
        return IERC1271.isValidSignature.selector;
    }

    function _misbehave() private view {
        if (_way == Way.BurnsGas) while (true) {}
        if (_way == Way.Floods) {
            assembly {
                return(0, 300000)
            }
        }
        if (_way == Way.RevertsAtLength) {
            assembly {
                revert(0, 300000)
            }
        }
        string[] memory urls = new string[](2);
        urls[0] = _url;
        urls[1] = string.concat(_url, "/{sender}/{data}");
        revert OffchainLookup(_sender, urls, hex"1234", this.isOwnerAddress.selector, "");
    }
}
